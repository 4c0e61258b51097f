# yield from over every kind of built-in iterable, and over one that sends.
def all_of():
    yield from ()
    yield from "a"
    yield from {1: 2}
    yield from {3}
    yield from zip([4], [5])
    yield from map(str, [6])
    got = yield from iter([7])
    yield got


def main():
    return list(all_of())
