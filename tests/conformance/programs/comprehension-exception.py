# An exception leaves a comprehension and is handled in the same frame.
def main():
    try:
        quotients = [6 // n for n in (3, 0, 1)]
    except ZeroDivisionError:
        quotients = None
    return quotients
