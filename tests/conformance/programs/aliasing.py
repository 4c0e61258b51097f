# Two names for one list, a copy, a nested list that is shared.
def main():
    a = [1]
    b = a
    c = a[:]
    b.append(2)
    grid = [[0] * 2] * 2
    grid[0][0] = 9
    deep = [row[:] for row in grid]
    deep[0][1] = 7
    return a is b, a, c, grid, deep
