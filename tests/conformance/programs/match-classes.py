# match over classes by position and by keyword.
class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def where(value):
    match value:
        case Point(0, 0):
            return "origin"
        case Point(x=0, y=height):
            return f"up {height}"
        case Point(x, y):
            return f"at {x},{y}"
        case int() | float():
            return "number"


def main():
    return where(Point(0, 0)), where(Point(0, 5)), where(Point(1, 2)), where(1.5)
