# except* around a plain exception wraps it in a group; else and finally run.
def attempt(fail):
    log = []
    try:
        if fail:
            raise ValueError("plain")
    except* ValueError as group:
        log.append(type(group).__name__)
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log


def main():
    return attempt(True), attempt(False)
