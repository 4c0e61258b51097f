# Iterators, generators, views, ranges and slices as values.
def gen():
    yield 1


def main():
    g = gen()
    expression = (n for n in "a")
    lists, tuples, pairs = iter([1]), iter((2,)), iter({})
    zipped, counted, mapped = zip(), enumerate("a"), map(str, [])
    numbers, every = range(2), range(0, 9, 3)
    keys, values, items = {"a": 1}.keys(), {"a": 1}.values(), {"a": 1}.items()
    part = slice(1, None)
    dots, unknown, thing = ..., NotImplemented, object()
    return len(numbers)
