# A comprehension over several lines: its parts fire as they are reached.
def main():
    found = [
        (x, y)
        for x in range(3)
        for y in range(x)
        if (x + y) % 2
    ]
    return found
