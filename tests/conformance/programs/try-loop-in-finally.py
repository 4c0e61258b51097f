# A loop inside a finally block, and a try inside it.
def main():
    tries = []
    try:
        tries.append("body")
    finally:
        for n in (1, 0):
            try:
                tries.append(6 // n)
            except ZeroDivisionError:
                break
    return tries
