# title: Permutations by choosing and undoing
# topic: recursion
# shows: One list is changed on the way down and restored on the way up. Without the undo, or
#   without the copy in the result, every permutation would end up the same or empty.


def permute(letters, chosen, results):
    if len(chosen) == len(letters):
        results.append("".join(chosen))
        return
    for letter in letters:
        if letter in chosen:
            continue
        chosen.append(letter)
        permute(letters, chosen, results)
        chosen.pop()


def main():
    chosen, results = [], []
    permute("abc", chosen, results)
    return results, chosen
