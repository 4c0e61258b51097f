# Two for clauses, and a comprehension inside a comprehension.
def main():
    pairs = [(a, b) for a in range(2) for b in "xy"]
    table = [[row * column for column in range(1, 3)] for row in range(1, 3)]
    return pairs, table
