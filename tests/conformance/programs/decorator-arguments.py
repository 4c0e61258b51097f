# Decorators with arguments, stacked: evaluated from the top, applied from the bottom.
order = []


def mark(name):
    order.append("make " + name)

    def apply(function):
        order.append("apply " + name)
        return function

    return apply


@mark("outer")
@mark(
    "inner"
)
def target():
    return "called"


result = target()
