# not, and, or over lines in a while condition.
def main():
    n = 0
    while (n < 5
           and not (n == 3
                    or n > 8)):
        n += 1
    return n
