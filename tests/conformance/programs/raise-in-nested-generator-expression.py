# An exception inside a generator expression that a built-in function consumes.
def main():
    try:
        total = sum(10 // n for n in (5, 0, 2))
    except ZeroDivisionError:
        total = -1
    return total, max((len(w) for w in ["a", "bbb"]), default=0)
