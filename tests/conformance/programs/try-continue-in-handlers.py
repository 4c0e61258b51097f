# continue in try, except and else of a loop, and a break in except.
def main():
    log = []
    for n in range(5):
        try:
            if n == 0:
                continue
            if n % 2:
                raise ValueError
        except ValueError:
            if n == 3:
                break
            continue
        else:
            log.append(n)
        log.append("after")
    return log
