# A handler that itself handles another exception.
def main():
    try:
        {}["a"]
    except KeyError as outer:
        try:
            [][0]
        except IndexError as inner:
            kinds = type(outer).__name__, type(inner.__context__).__name__
    return kinds
