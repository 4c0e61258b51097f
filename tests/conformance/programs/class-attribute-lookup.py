# Class and instance attributes of one name; a mutable one is shared.
class Bag:
    items = []
    label = "bag"


def main():
    a, b = Bag(), Bag()
    a.items.append(1)
    a.label = "mine"
    return b.items, b.label, a.__dict__, hasattr(b, "size")
