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
    return found


def main():
    results = [pick("r"), pick(["b", "down"])]
    try:
        pick("none")
    except UnboundLocalError:
        results.append("no case")
    return results
