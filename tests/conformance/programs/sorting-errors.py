# Values that can't be compared raise in the middle of a sort.
def main():
    try:
        sorted([3, "a", 1])
    except TypeError as error:
        text = str(error)
    return text
