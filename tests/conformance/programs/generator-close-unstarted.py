# A generator that was closed before it started has nothing to run.
def never():
    yield 1


def main():
    it = never()
    it.close()
    left = list(it)
    return left
