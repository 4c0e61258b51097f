# try/except/else/finally with and without an exception.
def run(divisor):
    log = []
    try:
        value = 10 // divisor
    except ZeroDivisionError:
        log.append("except")
    else:
        log.append(value)
    finally:
        log.append("finally")
    return log


def main():
    return run(3), run(0)
