# Unpacking: swaps, nested, starred, from strings and generators.
def main():
    a, b = 1, 2
    a, b = b, a
    (c, [d, e]), f = (3, "de"), 6
    first, *middle, last = range(5)
    *start, end = "xyz"
    (only,) = [9]
    *everything, = (n for n in [7, 8])
    return a, b, c, d, e, f, middle, start, end, only, everything
