# del of names, items and slices, several in one statement.
def main():
    a, b = 1, 2
    items = list(range(6))
    table = {"x": 1, "y": 2}
    del a
    del items[0], items[1:3]
    del (table["x"], b)
    return items, table, "b" in locals()
