# while with and, or, not and a call in its condition, with continue.
def go(n):
    return n < 4


def main():
    n = 0
    seen = []
    while not n > 6 and (go(n) or n == 5):
        n += 1
        if n == 2 or (n == 3 and seen):
            continue
        seen.append(n)
    return n, seen
