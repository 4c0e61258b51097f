# title: The else of a loop
# topic: control-flow
# shows: The else of a while loop runs when the condition turns false, and is skipped by break.
#   Read like an if/else, it would run after the loop that was broken out of.


def smallest_factor(n):
    candidate = 2
    while candidate * candidate <= n:
        if n % candidate == 0:
            verdict = f"{n} = {candidate} * {n // candidate}"
            break
        candidate += 1
    else:
        verdict = f"{n} is prime"
    return verdict


def main():
    verdicts = [smallest_factor(n) for n in (35, 29, 2)]
    return verdicts
