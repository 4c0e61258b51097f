# title: Walking a tree with yield from
# topic: generators
# shows: yield from hands each value of the inner generator straight to the consumer; the frames
#   between stay suspended, one per level of the tree. What walk returns is never yielded.


def walk(tree):
    if tree is None:
        return 0
    left, value, right = tree
    below = yield from walk(left)
    yield value
    below += yield from walk(right)
    return below + 1


def walk_and_count(tree):
    size = yield from walk(tree)
    yield f"{size} nodes"


def main():
    tree = ((None, 1, None), 4, (None, 6, None))
    return list(walk_and_count(tree))
