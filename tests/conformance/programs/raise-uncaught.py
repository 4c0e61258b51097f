# An exception that nobody handles leaves the entry.
def check(age):
    if age < 0:
        raise ValueError(f"bad age: {age}")
    return age


def main():
    check(1)
    check(-1)
    return "not reached"
