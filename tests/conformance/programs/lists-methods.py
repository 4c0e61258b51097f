# Methods of lists.
def main():
    items = [3, 1, 2]
    items.append(5)
    items.extend([4, 1])
    items.insert(1, 9)
    items.remove(1)
    popped = items.pop(), items.pop(0)
    items.sort(reverse=True)
    copy = items.copy()
    items.reverse()
    where = items.index(5), items.count(2)
    items.clear()
    return items, copy, popped, where, [1, 2] < [1, 3], [0] * 3
