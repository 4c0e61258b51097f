# A generator used as a context: set up, yield, tear down.
def resource(log):
    log.append("open")
    try:
        yield "handle"
    finally:
        log.append("close")


class Managed:
    def __init__(self, generator):
        self.generator = generator

    def __enter__(self):
        return next(self.generator)

    def __exit__(self, *details):
        return next(self.generator, False)


def main():
    log = []
    with Managed(resource(log)) as handle:
        log.append(handle)
    return log
