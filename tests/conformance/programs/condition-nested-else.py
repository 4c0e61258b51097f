# An if without else as the last statement, nested: where the events go after it.
def f(a, b):
    if a:
        if b:
            x = "both"
    else:
        x = "none"


def main():
    return f(1, 1), f(1, 0), f(0, 0)
