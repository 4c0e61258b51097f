# A while loop: its header is a line event before every round and once more at the end.
def main():
    n = 0
    total = 0
    while n < 3:
        n += 1
        total += n
    return total
