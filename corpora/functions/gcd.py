# title: Euclid's algorithm
# topic: functions
# shows: `a, b = b, a % b` evaluates the whole right side before it binds either name. Executed
#   one name at a time it would compute b % b, and end at once.


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def main():
    return gcd(48, 34)
