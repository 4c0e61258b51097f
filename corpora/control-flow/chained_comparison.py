# title: A chained comparison
# topic: control-flow
# shows: `low < f(x) < high` calls f once, though its value is compared twice; in `1 < 3 > 2` the
#   ends are never compared, and `3 > 2 == True` asks whether 2 is True, so it is False.


def measure(readings):
    return readings.pop(0)


def in_range(readings, low, high):
    kept = 0
    while readings:
        if low < measure(readings) < high:
            kept += 1
    return kept


def main():
    kept = in_range([4, 9, 5, 1, 7], 3, 8)
    ends_apart = 1 < 3 > 2
    no_grouping = 3 > 2 == True
    return kept, ends_apart, no_grouping
