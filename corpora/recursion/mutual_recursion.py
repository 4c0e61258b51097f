# title: Two functions that call each other
# topic: recursion
# shows: The frames alternate between two functions, and one answer travels back through all of
#   them unchanged. The line that returns belongs to the other function each time.


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def main():
    return is_even(5), is_odd(3)
