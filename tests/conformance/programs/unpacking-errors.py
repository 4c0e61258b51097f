# Too many and too few values to unpack.
def main():
    problems = []
    for values in ([1], [1, 2, 3], 5):
        try:
            a, b = values
        except (ValueError, TypeError) as error:
            problems.append(str(error))
    return problems
