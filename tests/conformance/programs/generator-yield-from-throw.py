# An exception thrown into the outer generator reaches the inner one.
def inner():
    try:
        yield 1
    except ValueError:
        yield 2
    return 3


def outer():
    last = yield from inner()
    yield last


def main():
    it = outer()
    return next(it), it.throw(ValueError), next(it)
