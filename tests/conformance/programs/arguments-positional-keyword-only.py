# Positional-only and keyword-only parameters, and the errors of calls that break them.
def strict(a, /, b, *, c):
    return a, b, c


def main():
    results = [strict(1, 2, c=3), strict(1, b=2, c=3)]
    for arguments, keywords in [((1, 2, 3), {}), ((1,), {"c": 3}), ((), {"a": 1, "b": 2, "c": 3})]:
        try:
            strict(*arguments, **keywords)
        except TypeError as error:
            results.append(str(error))
    return results
