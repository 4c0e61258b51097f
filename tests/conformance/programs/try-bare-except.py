# A bare except takes everything.
def main():
    try:
        raise KeyboardInterrupt
    except:
        caught = True
    return caught
