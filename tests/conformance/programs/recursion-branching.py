# Fibonacci by branching recursion, with a table to remember.
def fib(n, known={}):
    if n < 2:
        return n
    if n not in known:
        known[n] = fib(n - 1) + fib(n - 2)
    return known[n]


def main():
    return fib(6)
