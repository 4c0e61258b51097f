# The message for an except clause that names no class of exceptions.
def main():
    try:
        try:
            raise KeyError(2)
        except "no class":
            pass
    except TypeError:
        pass
