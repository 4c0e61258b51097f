# The message for a local that is not bound yet, and for one that was deleted.
def main():
    for attempt in range(2):
        try:
            if attempt:
                x = 1
                del x
            x
        except UnboundLocalError:
            pass
