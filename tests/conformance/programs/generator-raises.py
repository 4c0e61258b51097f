# An exception raised in a generator reaches the for loop that drives it.
def faulty():
    yield 1
    raise RuntimeError("broken")


def main():
    seen = []
    try:
        for n in faulty():
            seen.append(n)
    except RuntimeError as error:
        seen.append(str(error))
    return seen
