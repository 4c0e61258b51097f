# title: Removing from the list being walked
# topic: lists
# shows: A for loop over a list counts positions: removing an element moves the next one under
#   the place already visited, and it is skipped. Even numbers are left over.


def drop_even(numbers):
    visited = []
    for number in numbers:
        visited.append(number)
        if number % 2 == 0:
            numbers.remove(number)
    return visited


def main():
    numbers = [4, 6, 3, 8, 10]
    visited = drop_even(numbers)
    return numbers, visited
