# title: Skipping what can't be read
# topic: exceptions
# shows: An exception caught inside the loop ends one round and not the loop, and the line that
#   raised binds nothing: `age` still holds the value of the round before.


def parse_ages(fields):
    ages = []
    age = None
    for field in fields:
        try:
            age = int(field)
            ages.append(age)
        except ValueError:
            print(f"skipped {field!r}, age is still {age}")
            continue
    return ages


def main():
    return parse_ages(["31", "n/a", " 7 ", "4.5"])
