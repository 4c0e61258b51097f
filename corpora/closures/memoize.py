# title: A decorator with a memory
# topic: closures
# shows: The decorated name is bound to the wrapper, so the recursive calls go through the cache
#   too. The body runs once per argument, however often the name is called.


def memoize(function):
    cache = {}

    def wrapper(n):
        if n not in cache:
            cache[n] = function(n)
        return cache[n]

    return wrapper


@memoize
def stairs(n):
    evaluated.append(n)
    return 1 if n < 2 else stairs(n - 1) + stairs(n - 2)


evaluated = []


def main():
    return stairs(5), stairs(4), evaluated
