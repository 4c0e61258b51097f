# return out of two loops, with else blocks that are passed over.
def find(table, wanted):
    for row in table:
        for item in row:
            if item == wanted:
                return row
        else:
            continue
    else:
        return "nowhere"


def main():
    return find([[1], [2, 3]], 3), find([[1]], 9)
