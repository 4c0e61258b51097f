# title: Grouping into lists
# topic: dicts
# shows: setdefault returns the list that is in the dict, so appending to what it returned fills
#   the dict. The groups appear in the order of their first member.


def group_by_initial(names):
    groups = {}
    for name in names:
        group = groups.setdefault(name[0], [])
        group.append(name)
    return groups


def main():
    groups = group_by_initial(["Bo", "Ada", "Ben", "Abe", "Cy"])
    sizes = {initial: len(group) for initial, group in sorted(groups.items())}
    return groups, sizes
