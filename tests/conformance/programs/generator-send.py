# send() gives yield a value.
def averager():
    total = count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


def main():
    running = averager()
    next(running)
    first = running.send(10)
    second = running.send(20)
    return first, second
