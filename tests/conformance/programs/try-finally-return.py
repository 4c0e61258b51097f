# return in try: the finally block runs after the value is known.
def f():
    x = 1
    try:
        return x
    finally:
        x = 2


def main():
    return f()
