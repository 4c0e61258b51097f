# One value assigned to several targets, from left to right.
class Holder:
    pass


def main():
    holder = Holder()
    items = [0, 0]
    a = items[1] = holder.b = [5]
    a.append(6)
    i = items[i] = 0 if a else 1
    return items, holder.b is a, i
