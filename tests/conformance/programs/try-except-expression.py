# The expression of an except clause is evaluated only when needed, and may fail.
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
    try:
        try:
            raise KeyError(2)
        except "no class":
            pass
    except TypeError as error:
        asked.append(type(error.__context__).__name__)
    return asked
