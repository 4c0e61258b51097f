# throw() into a generator that waits in yield from reaches the inner one, two calls deep.
def inner():
    try:
        yield 1
    except ValueError:
        yield 2


def outer():
    yield from inner()


def main():
    it = outer()
    return next(it), it.throw(ValueError)
