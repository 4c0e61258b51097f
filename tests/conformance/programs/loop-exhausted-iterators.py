# The end of every kind of built-in iterator in a for loop is no exception event.
def main():
    seen = []
    for kind in ("ab", b"a", (1,), [2], {3}, {4: 5}, range(1), {6: 7}.items(),
                 enumerate("c"), zip([8], [9]), map(str, [10]), reversed([11]),
                 filter(None, [12])):
        for item in kind:
            seen.append(item)
    return len(seen)
