# A StopIteration that leaves a generator's body becomes a RuntimeError.
def leaky():
    yield 1
    raise StopIteration


def main():
    it = leaky()
    next(it)
    try:
        next(it)
    except RuntimeError as error:
        return str(error), type(error.__cause__).__name__
