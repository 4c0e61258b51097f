# throw() of an exception that the generator does not handle comes back to the caller.
def fragile():
    try:
        yield 1
    finally:
        cleaned = True


def main():
    it = fragile()
    next(it)
    try:
        it.throw(KeyError("k"))
    except KeyError as error:
        return error.args
