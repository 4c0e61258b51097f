# Functions made in a comprehension share its variable.
def main():
    makers = [lambda: n for n in range(3)]
    bound = [lambda n=n: n for n in range(3)]
    return [f() for f in makers], [f() for f in bound]
