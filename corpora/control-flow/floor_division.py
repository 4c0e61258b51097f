# title: Clock arithmetic below zero
# topic: control-flow
# shows: `//` rounds down, not towards zero, and `%` takes the sign of the divisor, so -1 % 24 is
#   23. Arithmetic as in C would put the clock at negative hours.


def shift(hour, delta):
    total = hour + delta
    days = total // 24
    clock = total % 24
    return days, clock


def main():
    arrivals = []
    for delta in (-3, 30, -50):
        days, clock = shift(1, delta)
        arrivals.append(f"{clock:02}h{days:+d}d")
    return arrivals, -7 // 2, -7 % 3, 7 % -3, int(-7 / 2)
