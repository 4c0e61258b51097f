# A call over several lines: the lines of its arguments, then the line of the call again.
def combine(a, b, c):
    return a + b + c


def one():
    return 1


def main():
    total = combine(
        one(),
        2,
        c=one()
        + one(),
    )
    return total
