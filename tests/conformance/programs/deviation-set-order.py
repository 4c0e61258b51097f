# The order of a set: CPython's is that of its hash table, RustPython's that of insertion.
def main():
    numbers = {9, 1, 5}
    return list(numbers), str(numbers)
