# An exception inside a function called by sorted, map and a comprehension.
def picky(n):
    if n == 2:
        raise ValueError("two")
    return n


def main():
    caught = []
    for attempt in (
        lambda: sorted([1, 2, 3], key=picky),
        lambda: list(map(picky, [1, 2])),
        lambda: {picky(1): picky(2)},
        lambda: sum(picky(n) for n in (1, 2)),
    ):
        try:
            attempt()
        except ValueError as error:
            caught.append(str(error))
    return caught
