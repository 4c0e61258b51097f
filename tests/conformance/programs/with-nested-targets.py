# The target of with may be an attribute, an item or a tuple.
class Give:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *details):
        pass


box = Give(0)
items = {}
with Give((1, 2)) as (a, b), Give(3) as box.value, Give(4) as items["k"]:
    total = a + b
