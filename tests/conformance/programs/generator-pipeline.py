# Generators that feed each other.
def numbers():
    yield from range(4)


def even(source):
    for n in source:
        if n % 2 == 0:
            yield n


def doubled(source):
    for n in source:
        yield n * 2


def main():
    return list(doubled(even(numbers())))
