# A finally block runs while an uncaught exception leaves.
done = False
try:
    raise LookupError("nobody looks")
finally:
    done = True
