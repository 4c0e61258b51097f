# getattr, setattr, hasattr, delattr and vars by name.
class Bag:
    pass


def main():
    bag = Bag()
    for name, value in zip("abc", range(3)):
        setattr(bag, name, value)
    delattr(bag, "b")
    missing = getattr(bag, "b", "none")
    return vars(bag), hasattr(bag, "b"), missing, getattr(bag, "c")
