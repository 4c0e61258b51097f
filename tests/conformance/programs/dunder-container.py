# Length, items, membership and deletion by methods.
class Ring:
    def __init__(self, items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, at):
        return self.items[at % len(self)]

    def __setitem__(self, at, value):
        self.items[at % len(self)] = value

    def __delitem__(self, at):
        del self.items[at % len(self)]

    def __contains__(self, item):
        return item in self.items


def main():
    ring = Ring("abc")
    ring[4] = "B"
    del ring[3]
    return ring[5], len(ring), "B" in ring, "z" not in ring
