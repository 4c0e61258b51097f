# A conditional expression over `and`: CPython comes to its line once more.
def main():
    a = 1
    b = (a and 2) if a else 3
    return a, b
