# Methods of dicts and their order.
def main():
    table = {"b": 1, "a": 2}
    table["c"] = 3
    table["b"] = 10
    popped = table.pop("a"), table.pop("z", None)
    table["a"] = 4
    got = table.get("q", 0), table.setdefault("d", []), table.setdefault("b", 5)
    table.update(e=6, b=7)
    last = table.popitem()
    merged = table | {"x": 1}
    table |= {"y": 2}
    return table, list(reversed(table)), popped, got, last, merged, dict.fromkeys("ab", 0)
