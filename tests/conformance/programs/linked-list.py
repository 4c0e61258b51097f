# A linked list that is built, reversed and walked.
class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next


def reverse(node):
    previous = None
    while node:
        node.next, previous, node = previous, node, node.next
    return previous


def main():
    head = Node(1, Node(2, Node(3, None)))
    head = reverse(head)
    values = []
    while head is not None:
        values.append(head.value)
        head = head.next
    return values
