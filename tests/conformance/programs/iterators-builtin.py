# zip, enumerate, reversed, map, filter, iter with a sentinel, any and all.
def main():
    zipped = list(zip("abc", range(2)))
    counted = list(enumerate("xy", start=5))
    backwards = list(reversed([1, 2, 3]))
    mapped = list(map(lambda a, b: a * b, [1, 2], [3, 4]))
    kept = list(filter(lambda n: n % 2, range(5)))
    stack = [1, 2, 0, 3]
    until = list(iter(stack.pop, 0))
    checks = any(n > 1 for n in [1, 2, 3]), all([]), all(n for n in [1, 0, 2])
    return zipped, counted, backwards, mapped, kept, until, checks
