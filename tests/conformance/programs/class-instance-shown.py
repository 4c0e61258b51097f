# Instances without a __repr__ are shown by their attributes, nested ones too.
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def main():
    tail = Node(2)
    head = Node(1, tail)
    empty = object.__new__(Node)
    tail.value = "changed"
    both = [head, {"t": tail}]
    return empty
