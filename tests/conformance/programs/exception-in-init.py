# An exception in __init__, in a property and in a class body.
class Fails:
    def __init__(self):
        self.ready = False
        raise RuntimeError("init")


class Lazy:
    @property
    def value(self):
        return self.missing


problems = []
for make in (Fails, lambda: Lazy().value):
    try:
        make()
    except (RuntimeError, AttributeError) as error:
        problems.append(type(error).__name__)
try:
    class Bad:
        size = 1
        other = size + "x"
except TypeError:
    problems.append("body")
