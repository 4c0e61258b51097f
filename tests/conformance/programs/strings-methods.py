# String methods.
def main():
    text = "  Hello, World  "
    clean = text.strip()
    words = clean.lower().replace(",", "").split()
    joined = "-".join(words)
    found = clean.find("World"), clean.count("l"), clean.index("o")
    tests = clean.startswith("Hello"), "12".isdigit(), "ab1".isalnum(), clean.istitle()
    parts = joined.partition("-"), "a,b,,c".split(",", 2), "x\ny\r\nz".splitlines()
    shaped = "ab".center(6, "*"), "7".zfill(3), "ab".ljust(4) + "|", "Abc".swapcase()
    return joined, found, tests, parts, shaped
