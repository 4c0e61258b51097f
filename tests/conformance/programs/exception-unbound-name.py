# Names that are not bound: local, global, attribute.
def main():
    texts = []
    for attempt in range(3):
        try:
            if attempt == 0:
                print(later)
            elif attempt == 1:
                missing
            else:
                texts.nothing
        except (NameError, AttributeError) as error:
            texts.append(str(error))
    later = 1
    return texts
