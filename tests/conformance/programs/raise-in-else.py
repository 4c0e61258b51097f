# An exception of the else block is not handled by the same try.
def main():
    try:
        try:
            pass
        except ValueError:
            handled = "inner"
        else:
            raise ValueError("from else")
    except ValueError:
        handled = "outer"
    return handled
