# An exception leaves a function in a loop over a generator: CPython closes that before it returns.
def numbers():
    yield 1
    yield 2


def search():
    for n in numbers():
        raise KeyError(n)


def main():
    try:
        search()
    except KeyError as error:
        return error.args
