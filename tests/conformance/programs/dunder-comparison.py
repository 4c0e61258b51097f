# Comparison methods: reflected when the first operand does not know.
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts


def main():
    old, new = Version("1.2"), Version("1.10")
    ordered = [v.parts for v in sorted([new, old])]
    return old < new, old > new, old == Version("1.2"), old != new, ordered
