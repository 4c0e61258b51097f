# Branches that only pass still are lines.
def main():
    x = 2
    if x == 1:
        pass
    elif x == 2:
        pass
    else:
        pass
    for _ in range(2):
        pass
    return x
