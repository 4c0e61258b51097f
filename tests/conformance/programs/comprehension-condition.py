# Conditions in comprehensions, several of them, and a conditional expression as element.
def main():
    some = [n for n in range(10) if n % 2 if n > 3]
    kinds = ["odd" if n % 2 else "even" for n in some]
    return some, kinds
