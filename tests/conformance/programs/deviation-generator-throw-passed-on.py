# An exception thrown through a generator that delegates: CPython calls that too when it passes.
def inner():
    yield 1
    yield 2


def outer():
    try:
        yield from inner()
    except ValueError as error:
        yield str(error)


def main():
    it = outer()
    first = next(it)
    second = it.throw(ValueError("thrown"))
    return first, second, list(it)
