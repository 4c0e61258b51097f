# An exception from the bottom of a recursion passes every frame; one in the middle handles it.
def dig(n):
    if n == 0:
        raise RecursionError("bottom")
    try:
        return dig(n - 1)
    finally:
        visited.append(n)


visited = []


def main():
    try:
        dig(3)
    except RecursionError as error:
        return str(error), visited
