# Comprehensions over several lines with one for clause each: list, dict, set.
def main():
    names = ["a", "bb"]
    sizes = [
        len(name)
        for name in names
    ]
    table = {
        name:
            len(name)
        for name
        in names
        if name
    }
    found = {
        name[0] for name in names
        if len(name) > 1
    }
    return sizes, table, found
