# __slots__: no other attribute can be set.
class Pair:
    __slots__ = ("left", "right")

    def __init__(self, left, right):
        self.left = left
        self.right = right


def main():
    pair = Pair(1, 2)
    pair.left = 3
    try:
        pair.middle = 4
    except AttributeError:
        return pair.left, "no such slot"
