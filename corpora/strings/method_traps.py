# title: String methods that surprise
# topic: strings
# shows: strip takes a set of characters and not a suffix, split() and split(" ") differ, find
#   says -1 where index raises, and no method changes the string it is called on.


def main():
    name = "  level.pyp  "
    name.strip()
    trimmed = name.strip()
    stripped = trimmed.strip(".py")
    suffix = trimmed.removesuffix(".py")
    words = "a  b ".split()
    fields = "a  b ".split(" ")
    missing = trimmed.find("z")
    letter = trimmed[missing]
    title = "they're bill's".title()
    return stripped, suffix, words, fields, missing, letter, title
