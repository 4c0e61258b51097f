# zip with strict raises when one side ends first.
def main():
    done = []
    try:
        for pair in zip([1, 2], [3], strict=True):
            done.append(pair)
    except ValueError as error:
        done.append(str(error))
    return done
