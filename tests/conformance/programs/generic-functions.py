# Generic functions, classes and type aliases of PEP 695.
def first[T](items: list[T]) -> T:
    return items[0]


class Stack[T]:
    def __init__(self):
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)


type Pair[A] = tuple[A, A]


def main():
    stack = Stack()
    stack.push(first([7, 8]))
    return stack.items, Pair.__name__, first.__type_params__[0].__name__
