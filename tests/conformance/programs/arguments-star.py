# *args and **kwargs collect, and are passed on.
def inner(a, b=0, *rest, key=None, **options):
    return a, b, rest, key, options


def outer(*args, **kwargs):
    kwargs["passed"] = True
    return inner(*args, **kwargs)


def main():
    return outer(1), outer(1, 2, 3, 4, key="k", extra=5)
