# with: the header line fires again when the block is left.
class Context:
    def __enter__(self):
        return 7

    def __exit__(self, kind, error, trace):
        return None


def main():
    with Context() as n:
        m = n + 1
    return m
