# An iterator written as a class, in a for loop; its StopIteration is an event.
class Countdown:
    def __init__(self, start):
        self.n = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


def main():
    seen = []
    for n in Countdown(2):
        seen.append(n)
    return seen, list(Countdown(1))
