# The sum of floats: CPython carries along what rounding loses.
def main():
    total = sum([0.1] * 10)
    return total
