# title: lists and dicts changing
# A new list in each round, and a dict of five lists that grow and shrink: what a recorder must
# render again and again. About 300,000 events.
def main():
    groups = {"a": [], "b": [], "c": [], "d": [], "e": []}
    keys = ["a", "b", "c", "d", "e"]
    i = 0
    while i < 60_000:
        triple = [i, i * 2, i % 7]
        group = groups[keys[i % 5]]
        group.append(triple[2])
        if len(group) > 3: group.pop(0)
        i += 1
    return groups
