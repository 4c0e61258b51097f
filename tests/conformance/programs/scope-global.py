# global: reading, binding and deleting module variables from functions.
count = 0


def bump():
    global count, made
    count += 1
    made = count * 10


def drop():
    global made
    del made


def main():
    bump()
    bump()
    seen = count, made
    drop()
    return seen, "made" in globals()
