# Views of a dict follow its changes; changing its size while iterating raises.
def main():
    table = {"a": 1, "b": 2}
    keys, values, items = table.keys(), table.values(), table.items()
    table["c"] = 3
    common = sorted(keys & {"a", "c", "z"})
    try:
        for key in table:
            table[key + key] = 0
    except RuntimeError as error:
        problem = str(error)
    return list(keys), list(values), ("a", 1) in items, common, problem
