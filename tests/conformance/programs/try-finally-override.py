# A return in finally replaces both a value and an exception.
def value():
    try:
        return "try"
    finally:
        return "finally"


def swallowed():
    try:
        raise ValueError("lost")
    finally:
        return "swallowed"


def main():
    return value(), swallowed()
