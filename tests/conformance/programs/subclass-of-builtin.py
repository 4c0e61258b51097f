# Instances of subclasses of built-in types are shown as their values.
class Name(str):
    pass


class Stack(list):
    def push(self, item):
        self.append(item)


class Count(int):
    def __add__(self, other):
        return Count(int(self) + other)


def main():
    name = Name("ada")
    stack = Stack([1])
    stack.push(2)
    count = Count(3) + 4
    table = type("Table", (dict,), {})(a=1)
    return name.title(), stack, count, type(count).__name__, table
