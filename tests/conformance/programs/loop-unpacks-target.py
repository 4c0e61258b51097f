# Loop targets that unpack, nested and starred, and a target that is an item.
def main():
    box = [0]
    out = []
    for (a, b), *rest in [((1, 2), 3, 4), ("xy",)]:
        out.append((a, b, rest))
    for box[0] in range(2):
        out.append(box[:])
    return out
