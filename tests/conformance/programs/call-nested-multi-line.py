# Calls within calls, each on its own lines.
def f(*args):
    return len(args)


def main():
    result = f(
        f(1),
        f(
            2,
            3,
        ),
    )
    return result
