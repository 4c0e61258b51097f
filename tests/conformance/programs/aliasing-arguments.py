# A function that changes its argument, and one that only binds its name anew.
def change(items):
    items.append("changed")


def rebind(items):
    items = items + ["rebound"]
    return items


def main():
    items = []
    change(items)
    other = rebind(items)
    return items, other
