# A recursive generator walks a tree.
def walk(tree):
    if isinstance(tree, list):
        for child in tree:
            yield from walk(child)
    else:
        yield tree


def main():
    return list(walk([1, [2, [3]]]))
