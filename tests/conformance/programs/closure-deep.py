# A variable captured through two functions, and an argument that is a cell.
def outer(a):
    def middle(b):
        def inner(c):
            return a, b, c

        return inner

    return middle


def main():
    return outer(1)(2)(3)
