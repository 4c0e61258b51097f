# __new__ before __init__: one shared instance.
class Single:
    instance = None

    def __new__(cls, *args):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance

    def __init__(self, value):
        self.value = value


first = Single(1)
second = Single(2)
same = first is second
