# next() by hand, with a default at the end, and StopIteration without one.
def pair():
    yield "first"
    yield "second"


def main():
    it = pair()
    a = next(it)
    b = next(it)
    c = next(it, "none")
    try:
        next(it)
    except StopIteration as stop:
        d = stop.value
    return a, b, c, d
