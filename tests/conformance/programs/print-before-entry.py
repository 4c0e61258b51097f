# What the module prints before its main is called comes before the first event.
print("loading")
table = [n * n for n in range(3)]
print(f"loaded {len(table)}")


def main():
    print("running")
    return table[-1]
