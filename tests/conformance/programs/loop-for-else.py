# for/else with and without break.
def index(items, wanted):
    for at, item in enumerate(items):
        if item == wanted:
            result = at
            break
    else:
        result = -1
    return result


def main():
    return index("abc", "b"), index("abc", "z")
