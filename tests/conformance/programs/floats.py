# Floats: texts, rounding, infinities, comparisons.
def main():
    texts = 0.1 + 0.2, 1e16, 1e-5, 123456789.123456789, -0.0, 1.0, 2.5e300 * 1e10
    rounded = round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234.5, -2)
    special = float("inf"), float("-inf"), float("nan") != float("nan"), 1e308 * 10
    exact = (0.75).as_integer_ratio(), (3.0).is_integer(), int(-3.9), 7.5 // 2, -7.5 % 2
    return texts, rounded, special, exact
