# title: Raising to a power by halving
# topic: recursion
# shows: The exponent is halved on the way down, and the work is done on the way up: the results
#   of the frames appear in reverse order of the calls.


def power(base, exponent):
    if exponent == 0:
        return 1
    half = power(base, exponent // 2)
    square = half * half
    if exponent % 2 == 1:
        return square * base
    return square


def main():
    return power(3, 13)
