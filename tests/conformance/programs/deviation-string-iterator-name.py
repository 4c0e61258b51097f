# The class of an iterator over an ASCII string, and over another.
def main():
    plain = iter("a")
    other = iter("é")
    return len([*plain, *other])
