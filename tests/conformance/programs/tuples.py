# Tuples: one element, nested, compared, as keys.
def main():
    one = (1,)
    empty = ()
    nested = 1, (2, (3,)), []
    nested[2].append(4)
    table = {(0, 1): "edge"}
    ordered = (1, 2) < (1, 3) < (2,), max([(1, "b"), (1, "a")])
    return one + empty, nested, table[0, 1], ordered, one * 2
