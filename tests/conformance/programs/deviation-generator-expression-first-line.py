# The line event at the first entry of a generator expression, which RustPython leaves out.
def main():
    return sum(n for n in [1, 2])
