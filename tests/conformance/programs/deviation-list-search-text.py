# The messages of list.remove and list.index for what is not there.
def main():
    try:
        [].remove(3)
    except ValueError:
        pass
    try:
        [1].index(3)
    except ValueError:
        pass
