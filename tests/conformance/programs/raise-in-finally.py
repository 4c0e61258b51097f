# An exception in finally replaces the first one.
def main():
    try:
        try:
            raise ValueError("one")
        finally:
            raise KeyError("two")
    except KeyError as error:
        return repr(error.__context__)
