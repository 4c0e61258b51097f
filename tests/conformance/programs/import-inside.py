# Imports in a function and in a module; names bound by them.
import math
from math import floor as down


def main():
    import itertools
    pairs = list(itertools.combinations("abc", 2))
    chained = list(itertools.islice(itertools.count(5), 2))
    return pairs, chained, math.gcd(12, 18), down(2.7), math.pi
