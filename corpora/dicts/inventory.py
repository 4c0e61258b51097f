# title: Filling orders from stock
# topic: dicts
# shows: One dict is changed by many calls, and every order sees what the orders before it left.
#   A model has to carry the stock along: the text alone doesn't hold it.


def take(stock, item, amount):
    left = stock[item] - amount
    if left < 0:
        return False
    stock[item] = left
    return True


def fill(stock, orders):
    filled = 0
    for item, amount in orders:
        if take(stock, item, amount):
            filled += 1
    return filled, stock


def main():
    return fill({"pen": 5, "cup": 2}, [("pen", 3), ("cup", 1), ("pen", 4), ("pen", 2)])
