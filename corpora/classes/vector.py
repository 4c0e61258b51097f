# title: Vectors with operators
# topic: classes
# shows: `a + b` and `2 * a` are calls of methods; int doesn't know how to multiply by a vector, so
#   Python asks the right operand. `==` on instances is identity until __eq__ says otherwise.


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __rmul__(self, factor):
        return Vector(factor * self.x, factor * self.y)

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)

    def __repr__(self):
        return f"<{self.x}, {self.y}>"


def main():
    a = Vector(1, 2)
    b = 2 * a + Vector(0, -1)
    return repr(b), b == Vector(2, 3), a + b is not b, [a] == [Vector(1, 2)]
