# Several functions and calls on one line.
def main():
    f = lambda: (lambda: 1)() + (lambda: 2)(); g = lambda x: x
    return g(f()) + g(g(1))
