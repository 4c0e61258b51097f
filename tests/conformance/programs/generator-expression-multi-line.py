# A generator expression over several lines.
def main():
    numbers = [1, 2, 3]
    total = sum(
        n * n
        for n in numbers
        if n != 2
    )
    pairs = list(
        (a, b)
        for a in numbers
        for b in (
            a,
        )
    )
    return total, pairs
