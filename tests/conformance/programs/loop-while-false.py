# A loop and a branch that can never run leave no event but that of the header, if any.
def main():
    x = 1
    while False:
        x = 2
    while 0:
        x = 3
    if 0:
        x = 4
    return x
