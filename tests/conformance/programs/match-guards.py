# A guard that fails leaves its captures bound and goes on to the next case.
def sign(n):
    match n:
        case int(value) if value > 0:
            result = "positive"
        case value if value == 0:
            result = "zero"
        case value:
            result = "other"
    return result, value


def main():
    return sign(5), sign(0), sign(-2)
