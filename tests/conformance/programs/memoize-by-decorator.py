# A memoising decorator over a recursive function.
def memoize(function):
    known = {}

    def wrapper(n):
        if n not in known:
            known[n] = function(n)
        return known[n]

    return wrapper


@memoize
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)


result = ways(4)
