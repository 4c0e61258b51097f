# title: Bubble sort that stops early
# topic: lists
# shows: Neighbours are swapped in place while the range shrinks, and a pass without a swap ends
#   the work. The number of passes depends on the data, not on the length alone.


def bubble_sort(items):
    passes = 0
    for end in range(len(items) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        passes += 1
        if not swapped:
            break
    return passes


def main():
    items = [3, 1, 2, 5, 8]
    passes = bubble_sort(items)
    return items, passes
