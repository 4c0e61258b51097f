# Several context managers in one statement leave in reverse order.
class Tag:
    def __init__(self, name, log):
        self.name = name
        self.log = log

    def __enter__(self):
        self.log.append("<" + self.name)
        return self

    def __exit__(self, *details):
        self.log.append(self.name + ">")


def main():
    log = []
    with Tag("a", log), Tag("b", log) as inner:
        log.append(inner.name)
    return log
