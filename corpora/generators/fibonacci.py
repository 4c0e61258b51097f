# title: An endless generator
# topic: generators
# shows: `while True` in a generator is no endless loop: it is suspended at each yield with its
#   locals intact, and the consumer decides when to stop.

from itertools import islice, takewhile


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def main():
    numbers = fibonacci()
    first = list(islice(numbers, 5))
    rest = list(takewhile(lambda n: n < 30, numbers))
    after = next(numbers)
    return first, rest, after
