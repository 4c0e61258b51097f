# title: Rows that are the same row
# topic: lists
# shows: `[[0] * 3] * 2` holds one row twice, so a write to one shows in both. The comprehension
#   makes rows of their own. Both print the same until the first write.


def mark(grid, row, column):
    grid[row][column] += 1
    return grid


def main():
    shared = [[0] * 3] * 2
    separate = [[0] * 3 for _ in range(2)]
    alike = shared == separate
    mark(shared, 0, 1)
    mark(separate, 0, 1)
    return alike, shared, separate, shared[0] is shared[1]
