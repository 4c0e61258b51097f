# title: Transposing a table
# topic: lists
# shows: In a nested comprehension the outer clause runs around the whole inner list, and zip
#   stops at the shortest row. Rows of unequal length make the two ways differ.


def transpose(rows):
    width = len(rows[0])
    return [[row[column] for row in rows] for column in range(width)]


def main():
    square = transpose([[1, 2, 3], [4, 5, 6]])
    ragged = [list(column) for column in zip([1, 2, 3], [4, 5])]
    pairs = [(x, y) for x in range(3) for y in range(x)]
    return square, ragged, pairs
