# del of names, items, slices and attributes.
def main():
    a, b = 1, 2
    items = list(range(6))
    table = {"x": 1, "y": 2}
    del a
    del items[0], items[1:3]
    del (table["x"], b)
    try:
        print(b)
    except NameError as error:
        kind = type(error).__name__
    return items, table, kind
