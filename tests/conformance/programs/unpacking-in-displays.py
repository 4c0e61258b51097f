# Stars in lists, tuples, dicts and calls.
def collect(*args, **kwargs):
    return args, kwargs


def main():
    front = [1, 2]
    options = {"a": 1, "b": 2}
    merged = [0, *front, *"xy"]
    both = {**options, "b": 3, **{"c": 4}}
    return merged, both, collect(*front, 9, *(), **options, z=0)
