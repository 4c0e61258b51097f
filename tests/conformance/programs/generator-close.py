# close() raises GeneratorExit at the yield and runs the finally block.
def worker(log):
    try:
        yield 1
        yield 2
    except GeneratorExit:
        log.append("exit")
        raise
    finally:
        log.append("finally")


def main():
    log = []
    it = worker(log)
    next(it)
    it.close()
    return log
