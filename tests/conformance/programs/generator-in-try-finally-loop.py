# yield inside try and with inside a loop, left by the end of the loop of its caller.
def numbered(log):
    for n in range(3):
        try:
            yield n
        finally:
            log.append(n)


def main():
    log = []
    for n in numbered(log):
        if n == 1:
            break
    return log
