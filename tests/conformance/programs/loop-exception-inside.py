# A loop that handles an exception in some of its rounds and goes on.
def main():
    results = []
    for text in ["1", "x", "3"]:
        try:
            value = int(text)
        except ValueError as error:
            results.append(str(error))
            continue
        results.append(value)
    return results
