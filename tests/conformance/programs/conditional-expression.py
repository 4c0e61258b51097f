# Conditional expressions, nested and over several lines.
def main():
    signs = []
    for n in (-1, 0, 1):
        sign = (
            "negative"
            if n < 0
            else "zero"
            if n == 0
            else "positive"
        )
        signs.append(sign)
    return signs
