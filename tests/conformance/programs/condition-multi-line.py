# A condition over several lines fires for each part that is evaluated.
def check(a, b):
    if (
        a > 0
        and b > 0
        or a == b
    ):
        return "yes"
    return "no"


def main():
    return check(1, 1), check(1, -1), check(-1, -1)
