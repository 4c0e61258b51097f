# Names in a class body: read from the module when not bound in it, unseen by its methods.
x = "module"


class Scope:
    before = x
    x = "class"
    after = x

    def method(self):
        return x


seen = Scope.before, Scope.after, Scope().method()
