# Output between the events of a generator and its caller.
def speak():
    print("one")
    yield 1
    print("two")
    yield 2


def main():
    for n in speak():
        print("got", n)
