# title: Binary search
# topic: lists
# shows: Two bounds close in on a place; when the value is missing they cross, and the lower one
#   says where it would go. Off by one in `middle` and every later state is wrong.


def search(items, wanted):
    low = 0
    high = len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1 - low


def main():
    items = [2, 3, 5, 7, 11, 13, 17]
    return search(items, 11), search(items, 6)
