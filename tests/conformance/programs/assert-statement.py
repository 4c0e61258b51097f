# Assertions that hold, that fail, with a message and over several lines.
def check(n):
    assert n > 0
    assert n < 10, f"{n} is too large"
    assert (
        n
        != 5
    ), "five"
    return n


def main():
    results = []
    for n in (1, 0, 12, 5):
        try:
            results.append(check(n))
        except AssertionError as error:
            results.append(str(error))
    return results
