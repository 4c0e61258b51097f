# Lambdas: with defaults, stars, conditions, immediately called and over several lines.
def main():
    add = lambda a, b=2: a + b
    pick = lambda *args: args[-1] if args else None
    now = (lambda x: x * x)(5)
    long = lambda n: (
        n
        + 1
    )
    return add(1), pick(), pick(1, 2), now, long(1)
