# Triple-quoted strings and implicit concatenation in calls and conditions.
def show(text, *more):
    return len(text) + len(more)


def main():
    a = show("""one
two""", """
three
""")
    if show("a"
            "b") == 2:
        b = """x
""" + str(
            a
        )
    return a, b
