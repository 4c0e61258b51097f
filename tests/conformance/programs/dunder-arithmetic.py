# Arithmetic methods, their reflected and in-place forms, and NotImplemented.
class Money:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return Money(self.n + other.n)

    def __radd__(self, other):
        return Money(other + self.n)

    def __imul__(self, factor):
        self.n *= factor
        return self

    def __neg__(self):
        return Money(-self.n)


def main():
    a = Money(3)
    total = a + Money(4)
    total = 10 + total
    a *= 2
    try:
        a + "x"
    except TypeError as error:
        problem = str(error)
    return total.n, (-a).n, problem
