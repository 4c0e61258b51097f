# An exception in __exit__ replaces the one of the body, which becomes its context.
class Clumsy:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        raise KeyError("second")


def main():
    try:
        with Clumsy():
            raise ValueError("first")
    except KeyError as error:
        return repr(error), repr(error.__context__)
