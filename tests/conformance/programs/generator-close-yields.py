# A generator that yields while it is closed, and one that raises then.
def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2


def angry():
    try:
        yield 1
    finally:
        raise OSError("on close")


def main():
    texts = []
    for make in (stubborn, angry):
        it = make()
        next(it)
        try:
            it.close()
        except (RuntimeError, OSError) as error:
            texts.append(str(error))
    return texts
