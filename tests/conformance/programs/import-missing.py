# An import that fails is an exception like any other.
def main():
    try:
        import no_such_module
    except ImportError as error:
        return type(error).__name__, str(error)
