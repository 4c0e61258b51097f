# Lines that run in another order than they stand: default, decorator, call.
def outer(f=lambda: 1):
    def inner(
        value=f(),
        other=(
            f
        )(),
    ):
        return value + other
    return inner


def main():
    return outer()(), outer(lambda: 5)(1)
