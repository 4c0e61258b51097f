# Sorting: stable, by key, reversed, of tuples; min and max by key.
def age(person):
    return person[1]


def main():
    people = [("ann", 30), ("bob", 25), ("cy", 30)]
    by_age = sorted(people, key=age)
    by_both = sorted(people, key=lambda p: (-p[1], p[0]))
    people.sort(key=lambda p: p[0][-1], reverse=True)
    oldest = max(people, key=age), min("bca"), sorted("Banana", key=str.lower)
    return by_age, by_both, people, oldest
