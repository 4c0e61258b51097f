# title: Two counters
# topic: closures
# shows: Each call of the outer function makes a variable of its own; nonlocal lets the inner one
#   rebind it. Two counters never share a count, two functions of one call do.


def make_counter(step):
    count = 0

    def increase():
        nonlocal count
        count += step
        return count

    def reset():
        nonlocal count
        count = 0

    return increase, reset


def main():
    ones, reset_ones = make_counter(1)
    tens, _ = make_counter(10)
    ones()
    tens()
    ones()
    before = ones()
    reset_ones()
    return before, ones(), tens()
