# Slices: steps, negative bounds, assignment and deletion, slice objects.
def main():
    items = list(range(8))
    parts = items[2:5], items[::-2], items[-3:], items[10:], items[:-6]
    items[1:4] = "ab"
    items[::3] = [0, 0, 0]
    del items[-2:]
    middle = slice(1, 3)
    return parts, items, items[middle], "hello"[::-1], (1, 2, 3)[middle]
