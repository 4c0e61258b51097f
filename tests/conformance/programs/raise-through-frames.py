# An exception passes through several frames: exception and return events in each.
def third(n):
    return 1 // n


def second(n):
    value = third(n)
    return value


def first(n):
    value = second(n)
    return value


def main():
    try:
        first(0)
    except ZeroDivisionError:
        return "caught above"
