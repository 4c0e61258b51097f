# A with of several lines inside try inside a loop, left by break.
class Note:
    def __init__(self, log, name):
        self.log, self.name = log, name

    def __enter__(self):
        return self.name

    def __exit__(self, *details):
        self.log.append(self.name)


def main():
    log = []
    for n in range(3):
        try:
            with (
                Note(log, "a")
                as a,
                Note(
                    log,
                    "b",
                ),
            ):
                if n:
                    break
        finally:
            log.append(n)
    return log
