# as-patterns, dotted names compared by value, and no case that matches.
class Color:
    RED = "r"
    BLUE = "b"


def pick(value):
    match value:
        case Color.RED:
            found = "red"
        case [Color.BLUE as tone, ("up" | "down") as way]:
            found = tone, way
    return locals()


def main():
    return pick("r"), pick(["b", "down"]), pick("none")
