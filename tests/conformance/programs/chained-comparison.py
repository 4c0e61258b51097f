# Chained comparisons evaluate each operand once and stop early.
def n(value):
    asked.append(value)
    return value


asked = []
first = n(1) < n(2) < n(3)
second = n(5) < n(4) < n(9)
one = 1
third = one == 1.0 is not None in [True]
