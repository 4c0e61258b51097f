# What is printed stands where it was printed: separators, ends, several lines.
print("start")


def greet(name):
    print("hello", name, sep=", ", end="!\n")


for name in ("a", "b"):
    greet(name)
print("no newline", end="")
print()
print(1, [2], None, {"k": (3,)})
