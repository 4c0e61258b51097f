# A chain of if and elif: each condition that is tried is a line event.
def grade(points):
    if points > 89:
        letter = "a"
    elif points > 79:
        letter = "b"
    elif points > 69:
        letter = "c"
    else:
        letter = "f"
    return letter


def main():
    return [grade(95), grade(75), grade(10)]
