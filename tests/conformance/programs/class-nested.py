# A class inside a class, and a class made in a function that closes over its argument.
def make(base):
    class Adder:
        step = base

        def add(self, n):
            return n + base

    return Adder


def main():
    class Outer:
        class Inner:
            depth = 2

    return make(10)().add(1), make(5).step, Outer.Inner.depth, Outer.Inner.__qualname__
