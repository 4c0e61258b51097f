# Lambdas in a dict that are called through it, with arguments of every kind.
operations = {
    "add": lambda a, b: a + b,
    "neg": lambda a: -a,
    "all": lambda *rest, key=0, **more: (rest, key, more),
}
results = []
for name, arguments in [("add", (1, 2)), ("neg", (5,)), ("all", (1, 2, 3))]:
    results.append(operations[name](*arguments))
results.append(operations["all"](key=1, z=2))
