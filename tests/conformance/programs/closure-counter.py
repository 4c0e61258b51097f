# A closure with its own state through nonlocal.
def counter(start):
    count = start

    def step(by=1):
        nonlocal count
        count += by
        return count

    return step


def main():
    a = counter(0)
    b = counter(10)
    a()
    a(5)
    return a(), b()
