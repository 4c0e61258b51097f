# title: A generator is used up once
# topic: generators
# shows: The second pass over a generator finds nothing and raises no error, and `in` eats values
#   up to the one it finds. A list in its place would give the same answer twice.


def squares(limit):
    for n in range(limit):
        yield n * n


def main():
    numbers = squares(5)
    found = 4 in numbers
    rest = list(numbers)
    again = sum(numbers)
    default = next(numbers, "empty")
    return found, rest, again, default
