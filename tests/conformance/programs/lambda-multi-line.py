# Lambdas over several lines, called at once and later.
def main():
    f = (
        lambda
        x,
        y=1:
        x
        + y
    )
    g = sorted(
        [2, 1],
        key=lambda n:
            -n,
    )
    return f(
        1
    ), g
