# break and continue run the finally block on their way out.
def main():
    log = []
    for n in range(4):
        try:
            if n == 1:
                continue
            if n == 3:
                break
            log.append(n)
        finally:
            log.append("f")
    return log
