# An endless generator that is left by break.
def naturals():
    n = 0
    while True:
        yield n
        n += 1


def main():
    for n in naturals():
        if n * n > 5:
            break
    return n
