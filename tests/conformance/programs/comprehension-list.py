# A list comprehension runs in the frame of its function; its variable is seen while it runs.
def main():
    factor = 3
    tripled = [factor * n for n in range(3)]
    return tripled
