# Values of classes of the standard library.
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

Point = namedtuple("Point", "x y")


def main():
    counts = Counter("banana")
    groups = defaultdict(list)
    groups["a"].append(1)
    queue = deque([1, 2, 3], maxlen=2)
    queue.appendleft(0)
    ordered = OrderedDict(b=1, a=2)
    point = Point(1, y=2)._replace(x=5)
    return counts.most_common(1), dict(groups), list(queue), list(ordered), point.x
