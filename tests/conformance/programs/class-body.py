# The body of a class is a frame of its own, run once.
class Account:
    """Keeps money."""

    rate = 0.5
    fee = rate * 2

    def __init__(self, owner):
        self.owner = owner
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount
        return self.balance


account = Account("ada")
first = account.deposit(5)
second = account.deposit(7)
