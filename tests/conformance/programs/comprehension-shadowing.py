# The variable of a comprehension hides a local of the same name, which comes back after it.
def main():
    x = "outer"
    xs = [x for x in range(2)]
    return x, xs
