# title: An iterator of one's own
# topic: classes
# shows: A for loop calls __iter__ once and __next__ until StopIteration; two loops over the same
#   object run apart because __iter__ makes a new iterator each time.


class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return CountdownIterator(self.start)


class CountdownIterator:
    def __init__(self, current):
        self.current = current

    def __iter__(self):
        return self

    def __next__(self):
        if self.current == 0:
            raise StopIteration
        self.current -= 1
        return self.current + 1


def main():
    launch = Countdown(3)
    pairs = [(outer, inner) for outer in launch for inner in launch if inner < outer]
    once = iter(launch)
    next(once)
    return pairs, list(once), list(once)
