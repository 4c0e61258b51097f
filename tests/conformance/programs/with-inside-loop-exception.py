# with inside try inside a loop, an exception in its second round.
class Guard:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        return self.log.append

    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "fine")


def main():
    log = []
    for n in (2, 0):
        try:
            with Guard(log) as note:
                note(10 // n)
        except ZeroDivisionError:
            log.append("caught")
    return log
