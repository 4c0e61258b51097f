# Comprehensions at module level and in a class body; their variables do not leak.
names = ["b", "a"]
upper = [name.upper() for name in names]


class Table:
    size = 2
    cells = [0 for _ in range(2)]
    doubled = {k: k * 2 for k in range(2)}


last = Table.cells
