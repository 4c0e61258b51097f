# A parenthesised with statement over several lines.
class Value:
    def __init__(self, n):
        self.n = n

    def __enter__(self):
        return self.n

    def __exit__(self, *details):
        return False


def main():
    with (
        Value(1) as a,
        Value(
            2
        ) as b,
    ):
        total = a + b
    return total
