# The inner try does not match, the outer one does; both have a finally.
def main():
    log = []
    try:
        try:
            raise ValueError("inner")
        except KeyError:
            log.append("wrong")
        finally:
            log.append("inner finally")
    except ValueError as error:
        log.append(str(error))
    finally:
        log.append("outer finally")
    return log
