# Integers of any size: powers, division, shifts, bases.
def main():
    big = 2 ** 100
    parts = divmod(big, 10 ** 9)
    negative = -7 // 2, -7 % 2, 7 // -2, 7 % -2, divmod(-7, 2)
    shifted = 1 << 70 >> 68, -1 >> 3, ~5, 6 & 3 | 8 ^ 1
    bases = int("ff", 16), 0b101, 0o17, hex(255), bin(-5), int("-0x1f", 0)
    modular = pow(3, 200, 13), pow(3, -1, 7)
    return parts, negative, shifted, bases, modular, big.bit_length()
