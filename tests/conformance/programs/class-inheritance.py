# Inheritance with super() and a method resolved over two bases.
class Base:
    def __init__(self):
        self.trail = ["base"]

    def name(self):
        return "base"


class Left(Base):
    def __init__(self):
        super().__init__()
        self.trail.append("left")


class Right(Base):
    def __init__(self):
        super().__init__()
        self.trail.append("right")

    def name(self):
        return "right of " + super().name()


class Both(Left, Right):
    pass


def main():
    both = Both()
    return both.trail, both.name(), [c.__name__ for c in Both.__mro__]
