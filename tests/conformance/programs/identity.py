# is and == of small values, and of None.
def main():
    a = [1]
    same = a is a, a == [1], a is [1], None is None, () == [], "ab" == "a" + "b"
    return same, a is not None
