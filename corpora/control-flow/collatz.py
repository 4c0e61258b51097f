# title: Collatz steps
# topic: control-flow
# shows: A while loop whose branch depends on parity, so the path can't be read off the text.
#   The value climbs before it falls; a guess that it shrinks steadily is wrong.


def collatz(n):
    steps = 0
    highest = n
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        highest = max(highest, n)
        steps += 1
    return steps, highest


def main():
    return collatz(12)
