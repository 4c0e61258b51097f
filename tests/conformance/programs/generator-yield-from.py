# yield from over a generator and over a plain iterable.
def letters():
    yield "a"
    yield "b"


def everything():
    yield from letters()
    yield from [1, 2]


def main():
    return list(everything())
