# A with block inside a generator, entered and left by its resumes.
class Open:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("open")
        return 5

    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "close")


def rows(log):
    with Open(log) as n:
        yield n
        yield n + 1


def main():
    log = []
    full = list(rows(log))
    part = rows(log)
    next(part)
    part.close()
    return full, log
