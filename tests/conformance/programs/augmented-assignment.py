# Augmented assignment to names, items, attributes and slices.
class Point:
    x = 1


def main():
    n = 7
    n += 3; n -= 1; n *= 4; n //= 5; n **= 2; n %= 10; n <<= 3; n |= 1; n ^= 2; n &= 11; n >>= 1
    r = 7
    r /= 2
    items = [1, 2]
    items += (3,)
    items[0] += 10
    items[1:] *= 2
    p = Point()
    p.x += 1
    return n, r, items, p.x, Point.x
