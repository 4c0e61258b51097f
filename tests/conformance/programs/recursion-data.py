# Recursion over nested data, building a new structure.
def flatten(value, path=()):
    if isinstance(value, dict):
        found = {}
        for key, inner in value.items():
            found.update(flatten(inner, path + (key,)))
        return found
    return {".".join(path): value}


def main():
    return flatten({"a": 1, "b": {"c": 2, "d": {"e": 3}}})
