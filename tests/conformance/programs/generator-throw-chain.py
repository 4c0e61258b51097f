# throw through two generators that delegate, handled in the outer one.
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
