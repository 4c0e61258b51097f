# The expression of an except clause is evaluated only when it is needed.
def kinds():
    asked.append("asked")
    return ValueError, KeyError


asked = []


def main():
    try:
        pass
    except kinds():
        pass
    try:
        raise KeyError(1)
    except kinds():
        asked.append("caught")
    return asked
