# match over sequences: fixed, starred, nested.
def shape(value):
    match value:
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [first, [inner, *_]]:
            return f"nested {first} {inner}"
        case (first, *middle, last):
            return f"{first} {middle} {last}"


def main():
    return shape([]), shape((1,)), shape([1, [2, 3]]), shape([1, 2, 3, 4]), shape("text")
