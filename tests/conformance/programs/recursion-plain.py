# A recursive function, to its deepest frame and back.
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def main():
    return factorial(5)
