# __iter__ written as a generator.
class Tree:
    def __init__(self, value, *children):
        self.value = value
        self.children = children

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child


def main():
    tree = Tree(1, Tree(2, Tree(3)), Tree(4))
    return [value for value in tree]
