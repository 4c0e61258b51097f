# The end of a generator in a loop whose body is long: CPython then reports its StopIteration.
def two():
    yield 1
    yield 2


def main():
    a = b = 0
    for n in two():
        a = a * 2 + n - b * 3 + a // 5 - b % 7 + n * n - a * b + b // 2
        b = b * 2 + n - a * 3 + b // 5 - a % 7 + n * n - b * a + a // 2
        a = a * 2 + n - b * 3 + a // 5 - b % 7 + n * n - a * b + b // 2
        b = b * 2 + n - a * 3 + b // 5 - a % 7 + n * n - b * a + a // 2
        a = a * 2 + n - b * 3 + a // 5 - b % 7 + n * n - a * b + b // 2
    return a, b
