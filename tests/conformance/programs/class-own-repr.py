# Instances with a __repr__ are shown by it, also inside containers.
class Money:
    def __init__(self, cents):
        self.cents = cents

    def __repr__(self):
        return f"${self.cents / 100:.2f}"


def main():
    price = Money(1250)
    purse = [price, Money(5)]
    price.cents += 1
    return purse
