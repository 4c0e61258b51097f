# title: An assignment makes a name local
# topic: closures
# shows: Because a function assigns to `total`, the name is local in all of it, also above the
#   assignment: reading it there fails although a global of that name exists.

total = 10


def peek():
    return total


def add(amount):
    try:
        total = total + amount
    except UnboundLocalError as error:
        return type(error).__name__
    return total


def add_to_global(amount):
    global total
    total += amount
    return total


def main():
    before = peek()
    outcomes = [add(5), add_to_global(5)]
    return before, outcomes, peek()
