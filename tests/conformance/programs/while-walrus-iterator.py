# A loop over an iterator by next with a default in its condition.
def main():
    numbers = iter([2, 4, 6])
    total = 0
    while (n := next(numbers, None)) is not None:
        total += n
    else:
        total = -total
    return total
