# A generator expression handed to tuple, any and all is looped over by CPython's own bytecode.
def main():
    pair = tuple(n for n in range(2))
    items = list(n for n in range(2))
    some = any(n > 0 for n in range(3))
    every = all(n < 1 for n in range(3))
    text = ",".join(str(n) for n in range(2))
    return pair, items, some, every, text
