# close through generators that delegate: the inner one is closed first.
def inner(log):
    try:
        yield 1
    finally:
        log.append("inner")


def outer(log):
    try:
        yield from inner(log)
    finally:
        log.append("outer")


def main():
    log = []
    it = outer(log)
    next(it)
    it.close()
    return log
