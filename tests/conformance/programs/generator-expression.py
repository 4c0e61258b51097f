# A generator expression has a frame of its own, entered again for every element.
def main():
    total = sum(n * n for n in range(3))
    return total
