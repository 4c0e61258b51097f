# The order of a set: CPython's is that of its hash table, RustPython's that of insertion.
def main():
    numbers = {5, 1, 9, 2, 100}
    order = list(numbers)
    joined = [n for n in {3, 1, 2} | {0}]
    text = str({3, 1, 2})
    return order, joined, text
