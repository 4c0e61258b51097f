# A function made by exec calls back into the program.
def back(n):
    return n + 1


space = {"__builtins__": {}, "back": back}
exec("def forth(n):\n    return back(n) * 10", space)
result = space["forth"](4)
