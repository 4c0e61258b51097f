# Static and class methods, called on the class and on an instance.
class Counter:
    made = 0

    def __init__(self):
        Counter.made += 1

    @classmethod
    def several(cls, n):
        return [cls() for _ in range(n)]

    @staticmethod
    def double(n):
        return 2 * n


def main():
    counters = Counter.several(2)
    return Counter.made, counters[0].double(4), Counter.double(5)
