# A __repr__ that raises, one that calls functions of the program, and one inherited.
class Raises:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        raise RuntimeError("no text")


class Calls:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        return describe(self)


class Inherits(Calls):
    pass


def describe(thing):
    return f"{type(thing).__name__}<{thing.n}>"


def main():
    bad = Raises(1)
    good = Calls(2)
    child = Inherits(3)
    return [good, child]
