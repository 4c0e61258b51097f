# Operations of sets, shown in the order of their elements' texts.
def main():
    a = {3, 1, 2}
    b = set("ab") | {1}
    a.add(10)
    a.discard(99)
    a.remove(3)
    united = a | b
    both = a & {1, 2, 5}
    different = a - both, a ^ {1, 7}
    frozen = frozenset(a)
    empty = set()
    tests = {1} < a, a >= {1, 2}, a.isdisjoint({4}), frozen == a
    return different, tests
