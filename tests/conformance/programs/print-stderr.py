# What goes to the standard error stream stands between what goes to the other.
import sys

print("one")
print("two", file=sys.stderr)
print("three", end="")
sys.stderr.write("four\n")
sys.stdout.write("five\n")
