# A bare raise passes the same exception on.
def careful(log):
    try:
        int("seven")
    except ValueError:
        log.append("noted")
        raise


def main():
    log = []
    try:
        careful(log)
    except ValueError as error:
        log.append(str(error))
    return log
