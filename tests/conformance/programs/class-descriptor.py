# A descriptor with __set_name__, __get__ and __set__.
class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        return getattr(instance, self.name)

    def __set__(self, instance, value):
        if value <= 0:
            raise ValueError(f"{self.name[1:]} must be positive")
        setattr(instance, self.name, value)


class Item:
    price = Positive()

    def __init__(self, price):
        self.price = price


def main():
    item = Item(3)
    try:
        item.price = -1
    except ValueError as error:
        return item.price, str(error)
