# Contexts of exceptions through three handlers.
def main():
    try:
        try:
            try:
                raise ValueError("a")
            except ValueError:
                raise KeyError("b")
        except KeyError:
            raise IndexError("c")
    except IndexError as error:
        chain = []
        while error:
            chain.append(repr(error))
            error = error.__context__
    return chain
