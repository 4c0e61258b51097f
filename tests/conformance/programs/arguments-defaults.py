# Default values are evaluated once, at definition.
def base():
    return 10


def power(n, exponent=2, *, scale=base()):
    return scale * n ** exponent


first = power(3)
second = power(3, 3)
third = power(n=2, scale=1)
