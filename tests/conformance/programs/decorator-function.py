# A decorator that wraps a function; the decorator's line and the def line at definition.
def traced(function):
    def wrapper(*args):
        result = function(*args)
        calls.append((args, result))
        return result

    return wrapper


calls = []


@traced
def double(n):
    return 2 * n


first = double(4)
second = double("ab")
