# A mutable default keeps what earlier calls put into it.
def remember(item, seen=[]):
    seen.append(item)
    return seen


def main():
    first = remember(1)
    second = remember(2)
    other = remember(3, [])
    return first, second is first, other
