# Nested loops: break leaves only the inner one.
def main():
    pairs = []
    for a in range(3):
        for b in range(3):
            if b > a:
                break
            if a == b:
                continue
            pairs.append((a, b))
        else:
            pairs.append(a)
    return pairs
