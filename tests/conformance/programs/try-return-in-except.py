# Returns out of except and else blocks, through a finally.
def f(fail, log):
    try:
        if fail:
            raise KeyError
    except KeyError:
        return "except"
    else:
        return "else"
    finally:
        log.append("finally")


def main():
    log = []
    return f(True, log), f(False, log), log
