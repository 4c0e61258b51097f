# try statements with their bodies on the header's line.
def main():
    try: x = int("q")
    except ValueError: x = 0
    else: x = 1
    finally: y = x
    return x, y
