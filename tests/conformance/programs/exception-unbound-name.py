# Names that are not bound: one never, one in a class body, an attribute.
def main():
    texts = []
    for attempt in range(3):
        try:
            if attempt == 0:
                missing
            elif attempt == 1:
                class Body:
                    size = nothing
            else:
                texts.nothing
        except (NameError, AttributeError) as error:
            texts.append(str(error))
    return texts
