# The % operator and str.format.
def main():
    old = "%s is %d years, %.1f%% %r %5s|%-5s|%03d" % ("Ada", 36, 99.5, "q", "r", "l", 7)
    named = "%(a)s-%(b)x" % {"a": 1, "b": 255}
    new = "{} {1} {0}".format if False else "{1} {0} {name:>4} {0!r}".format("x", "y", name="z")
    return old, named, new, "{:.3} {[1]}".format("abcdef", [1, 2])
