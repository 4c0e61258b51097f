# title: One step too far
# topic: exceptions
# shows: The loop compares each element with the next and runs into the end of the list: the
#   last round fails. A model that trusts the code predicts a return that never comes.


def count_rises(values):
    rises = 0
    for i in range(len(values)):
        if values[i + 1] > values[i]:
            rises += 1
    return rises


def main():
    return count_rises([3, 5, 4, 9])
