# Bubble sort with an early end.
def bubble(items):
    n = len(items)
    while n > 1:
        swapped = False
        for i in range(n - 1):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            break
        n -= 1
    return items


def main():
    return bubble([3, 1, 2])
