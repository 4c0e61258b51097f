# title: an integer loop
# Two variables change, one a line: the cheapest events there are. About 300,000 of them.
def main():
    s = 0
    i = 0
    while i < 100_000:
        s += i & 7
        i += 1
    return s
