# Returns from the middle of loops and branches.
def first_even(numbers):
    for n in numbers:
        if n % 2:
            continue
        return n
    return None


def nothing():
    return


def falls_off():
    x = 1


def main():
    return first_even([1, 4, 6]), first_even([1]), nothing(), falls_off()
