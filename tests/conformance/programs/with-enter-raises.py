# An exception in __enter__: the body and __exit__ do not run.
class Broken:
    def __enter__(self):
        raise RuntimeError("no entry")

    def __exit__(self, *details):
        return True


def main():
    try:
        with Broken():
            reached = True
    except RuntimeError as error:
        return str(error)
