# An exception while a condition is evaluated.
def truthy():
    raise RuntimeError("undecided")


def main():
    try:
        if truthy():
            result = 1
        else:
            result = 2
    except RuntimeError:
        result = 3
    return result
