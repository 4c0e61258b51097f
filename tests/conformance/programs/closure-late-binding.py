# Closures see the last value of a variable that they share.
def main():
    functions = []
    for n in range(3):
        def show():
            return n

        functions.append(show)
    early = [f() for f in functions]
    n = "changed"
    return early, functions[0]()
