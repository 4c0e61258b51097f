# A generator expression evaluates its first iterable at once and the rest when asked.
def main():
    limit = 5
    lazy = (n for n in range(10) if n > limit)
    limit = 7
    first = next(lazy)
    second = next(lazy)
    return first, second
