# An exception is raised and handled in one frame.
def main():
    try:
        x = 1 / 0
    except ZeroDivisionError:
        x = None
    return x
