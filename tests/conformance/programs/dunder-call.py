# An instance that is called, and functions passed around as values.
class Multiplier:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, n):
        return n * self.factor


def apply(function, *values):
    return [function(value) for value in values]


def main():
    return apply(Multiplier(3), 1, 2), apply(str, 1), apply("ab".startswith, "a", "b")
