# Complex numbers, and booleans as integers.
def main():
    z = (1 + 2j) * (3 - 1j)
    parts = z.real, z.imag, abs(3 + 4j), z.conjugate(), complex(0, -1)
    flags = True + True, sum([True, False, True]), True == 1, isinstance(True, int), {1: "a", True: "b"}
    return z, parts, flags
