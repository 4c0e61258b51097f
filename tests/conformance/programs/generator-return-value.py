# The value of a generator's return is that of the StopIteration, and of yield from.
def inner():
    received = yield 1
    return received * 2


def outer():
    result = yield from inner()
    yield result


def main():
    it = outer()
    first = next(it)
    second = it.send(21)
    return first, second
