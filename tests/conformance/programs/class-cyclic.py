# A cycle between instances and one of a list in itself are cut where they close.
class Person:
    def __init__(self, name):
        self.name = name
        self.friend = None


def main():
    items = [1]
    items.append(items)
    table = {"k": 1}
    table["self"] = table
    size = len(items) + len(table)
    return size
