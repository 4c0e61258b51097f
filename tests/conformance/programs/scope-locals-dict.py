# locals() and globals() give the variables as a dict.
def main():
    a = 1
    names = sorted(locals())
    b = 2
    snapshot = locals()
    snapshot["a"] = 100
    return names, a, "main" in globals()
