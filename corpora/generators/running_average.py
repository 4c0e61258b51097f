# title: Sending values in
# topic: generators
# shows: yield is an expression: send resumes the generator there with a value and returns what
#   the next yield gives. The first next only runs it up to the first yield.


def running_average():
    total = 0
    count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


def main():
    averages = running_average()
    first = next(averages)
    results = [averages.send(value) for value in (10, 20, 6)]
    return first, results
