# A generator: call and return at every resume and yield.
def count(limit):
    n = 0
    while n < limit:
        yield n
        n += 1


def main():
    seen = []
    for value in count(2):
        seen.append(value)
    return seen
