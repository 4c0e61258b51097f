# title: Dropping the lowest grade
# topic: functions
# shows: Calls inside a loop inside a call: each level has its own `total`. Mixing up the frames,
#   or the point where one ends, gives the wrong variable the right value.


def total_of(grades):
    total = 0
    for grade in grades:
        total += grade
    return total


def average(grades):
    lowest = min(grades)
    total = total_of(grades) - lowest
    return total // (len(grades) - 1)


def main():
    return average([7, 4, 9, 8])
