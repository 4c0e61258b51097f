# A decorator on a class, and a class used as a decorator.
def register(cls):
    registered.append(cls.__name__)
    return cls


class CountCalls:
    def __init__(self, function):
        self.function = function
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)


registered = []


@register
class Thing:
    size = 1


@CountCalls
def add(a, b):
    return a + b


total = add(1, 2) + add(3, 4)
calls = add.calls
