# Conditions of constants, and names of constants that are not folded.
DEBUG = False


def main():
    steps = []
    if True:
        steps.append(1)
    if not DEBUG:
        steps.append(2)
    if __debug__:
        steps.append(3)
    if 1 and steps:
        steps.append(4)
    if "" or None:
        steps.append(5)
    elif 2 > 1:
        steps.append(6)
    while 1:
        steps.append(7)
        if True: break
    x = 1 if True else 2
    return steps, x
