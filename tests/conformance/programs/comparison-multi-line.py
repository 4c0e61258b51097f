# Comparisons, boolean and arithmetic operators over several lines, with calls.
def n(value):
    return value


def main():
    a = (
        n(1)
        < n(2)
        < n(0)
    )
    b = (
        n(0)
        or n("")
        or n(3)
    )
    c = (
        n(1) + n(2)
        * n(3)
        - n(4)
    )
    d = [
        n(1),
        *n([2]),
    ][
        n(0)
    ]
    return a, b, c, d
