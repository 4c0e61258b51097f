# A stack of sixty frames.
def down(n):
    if n == 0:
        return 0
    return 1 + down(n - 1)


def main():
    return down(60)
