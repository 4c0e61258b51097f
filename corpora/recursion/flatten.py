# title: Flattening nested lists
# topic: recursion
# shows: The shape of the data decides how deep the calls go; after each of them the loop of the
#   caller goes on where it stood, with its own `flat`.


def flatten(items):
    flat = []
    for item in items:
        if isinstance(item, list):
            flat.extend(flatten(item))
        else:
            flat.append(item)
    return flat


def main():
    return flatten([1, [2, [3, []], 4], [[5]]])
