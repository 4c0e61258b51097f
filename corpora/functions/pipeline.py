# title: Functions as values
# topic: functions
# shows: Functions are passed around unevaluated and run only where they are called, in the order
#   of the list. The name at the call says nothing of what runs.


def double(n):
    return n * 2


def drop_last_digit(n):
    return n // 10


def run(stages, value):
    history = [value]
    for stage in stages:
        value = stage(value)
        history.append(value)
    return history


def main():
    stages = [double, drop_last_digit, abs, double]
    forwards = run(stages, -27)
    backwards = run(reversed(stages), -27)
    return forwards, backwards
