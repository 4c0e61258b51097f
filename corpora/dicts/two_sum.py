# title: Two numbers with a given sum
# topic: dicts
# shows: The dict remembers where each number was seen, and is asked before the current number is
#   stored: a number can't be paired with itself, but can be with an equal one.


def two_sum(numbers, target):
    seen = {}
    for index, number in enumerate(numbers):
        partner = target - number
        if partner in seen:
            return seen[partner], index
        seen[number] = index
    return None


def main():
    return two_sum([4, 7, 1, 4, 9], 8)
