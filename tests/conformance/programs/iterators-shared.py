# Two loops over one iterator share it.
def main():
    it = iter([1, 2, 3, 4, 5])
    first = next(it)
    pairs = list(zip(it, it))
    rest = list(it)
    again = next(it, "done")
    return first, pairs, rest, again
