# Notes and arguments of an exception; str and repr of one with none, one and two arguments.
def main():
    error = ValueError("a", 2)
    error.add_note("look here")
    texts = [str(error), repr(error), str(ValueError()), repr(KeyError("k")), str(KeyError("k"))]
    return texts, error.__notes__
