# The message for a key and an element that have no hash.
def main():
    for attempt in (lambda: {}[[]], lambda: {[]: 1}, lambda: {[]}):
        try:
            attempt()
        except TypeError:
            pass
