# yield inside expressions, arguments and conditions.
def odd():
    total = (yield 1) + (yield 2)
    if (yield total):
        print("asked", (yield "more"))


def main():
    it = odd()
    seen = [next(it), it.send(10), it.send(5), it.send(True)]
    try:
        it.send("end")
    except StopIteration:
        seen.append("stop")
    return seen
