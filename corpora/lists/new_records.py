# title: Counting new records
# topic: lists
# shows: The branch is taken only when a number beats all before it, so `best` has to be carried
#   from round to round. A model that looks at the current number alone counts wrong.


def f(nums):
    best = 0
    count = 0
    for i in nums:
        if i > best:
            best = i
            count += 1
    return count


def main():
    return f([2, 1, 2, 3, 1, 2, 1])
