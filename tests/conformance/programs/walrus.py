# Assignment expressions in conditions, loops, comprehensions and calls.
def main():
    items = [3, 1, 4, 1]
    if (size := len(items)) > 3:
        size += 1
    while (item := items.pop()) != 3:
        last = item
    squares = [square for n in range(4) if (square := n * n) > 3]
    print(total := sum(squares))
    return size, item, square, total
