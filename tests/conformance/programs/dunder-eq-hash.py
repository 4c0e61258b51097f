# Equality and hash make instances work as keys.
class Key:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name

    def __hash__(self):
        return len(self.name)


def main():
    table = {Key("a"): 1}
    table[Key("a")] = 2
    table[Key("b")] = 3
    return len(table), table[Key("b")], Key("c") in table
