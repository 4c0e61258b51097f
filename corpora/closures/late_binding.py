# title: Closures made in a loop
# topic: closures
# shows: A closure looks its variable up when it is called, not when it is made: all three see the
#   last `n`. A default argument keeps the value of the round.


def make_adders():
    late, early = [], []
    for n in (1, 2, 3):
        late.append(lambda x: x + n)
        early.append(lambda x, n=n: x + n)
    return late, early


def main():
    late, early = make_adders()
    return [add(10) for add in late], [add(10) for add in early]
