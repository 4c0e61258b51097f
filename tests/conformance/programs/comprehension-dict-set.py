# Dict and set comprehensions.
def main():
    squares = {n: n * n for n in range(3)}
    lengths = {len(word) for word in ["a", "bb", "c"]}
    inverted = {value: key for key, value in squares.items()}
    return squares, sorted(lengths), inverted
