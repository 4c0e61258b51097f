# while/else: the else block runs when the condition ends the loop, and not after break.
def search(limit):
    n = 0
    while n < limit:
        if n == 2:
            found = n
            break
        n += 1
    else:
        found = None
    return found


def main():
    return search(2), search(5)
