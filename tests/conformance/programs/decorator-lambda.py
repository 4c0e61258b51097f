# Any expression may decorate: a lambda and an item.
tools = {"twice": lambda f: lambda x: f(f(x))}


@tools["twice"]
def increment(n):
    return n + 1


@lambda f: f(10)
def value(n):
    return n * 3


result = increment(1) + value
