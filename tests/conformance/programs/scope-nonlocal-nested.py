# nonlocal reaches the nearest enclosing function that binds the name.
def main():
    x = "main"

    def middle():
        x = "middle"

        def inner():
            nonlocal x
            x = "changed"

        inner()
        return x

    return middle(), x
