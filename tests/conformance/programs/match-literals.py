# match over literals, or-patterns and the wildcard.
def name(n):
    match n:
        case 0:
            return "zero"
        case 1 | 2:
            return "few"
        case "x" | None | True:
            return "odd"
        case _:
            return "many"


def main():
    return [name(n) for n in (0, 2, None, 9)]
