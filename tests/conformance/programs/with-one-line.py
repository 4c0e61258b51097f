# A with statement whose body stands on its line, and an empty one.
class C:
    def __enter__(self): return 1
    def __exit__(self, *a): pass


def main():
    with C() as x: y = x
    with C():
        pass
    return y
