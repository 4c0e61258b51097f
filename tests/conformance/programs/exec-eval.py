# Text that is run by exec and eval has no events, but its effects are seen.
def main():
    space = {"__builtins__": {"range": range}, "n": 3}
    exec("m = n * 2\nfor i in range(2):\n    m += i", space)
    value = eval("m + n", space)
    return value, space["m"], eval("[x for x in range(3)]")
