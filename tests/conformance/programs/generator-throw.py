# throw() raises inside the generator, which handles it and yields again.
def resilient():
    while True:
        try:
            yield "ok"
        except ValueError as error:
            yield f"handled {error}"


def main():
    it = resilient()
    a = next(it)
    b = it.throw(ValueError("bad"))
    c = next(it)
    return a, b, c
