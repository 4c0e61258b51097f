# A generator whose loop stands on one line: every resume comes to its header again.
def forever():
    while True: yield "tick"


def echo():
    got = None
    while got != "stop": got = yield got


def main():
    it = forever()
    talk = echo()
    next(talk)
    return next(it), next(it), talk.send("a"), talk.send("b")
