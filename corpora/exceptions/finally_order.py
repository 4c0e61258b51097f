# title: try, except, else, finally
# topic: exceptions
# shows: else runs only without an exception, finally always, and even after a return has
#   computed its value. A return inside finally replaces that value.


def divide(a, b, log):
    try:
        log.append("try")
        quotient = a // b
    except ZeroDivisionError:
        log.append("except")
        return None
    else:
        log.append("else")
        return quotient
    finally:
        log.append("finally")


def stubborn():
    value = "returned"
    try:
        return value
    finally:
        value = "changed too late"


def main():
    log = []
    results = [divide(7, 2, log), divide(7, 0, log)]
    return results, log, stubborn()
