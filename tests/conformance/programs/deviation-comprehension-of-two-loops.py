# A comprehension of two loops over several lines: RustPython comes to its element too often.
def main():
    found = [
        (x, y)
        for x in range(3)
        for y in range(x)
        if (x + y) % 2
    ]
    return found
