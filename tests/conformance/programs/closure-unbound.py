# A free variable that is not bound yet, and one that was deleted.
def main():
    def read():
        return late

    texts = []
    try:
        read()
    except NameError as error:
        texts.append(type(error).__name__)
    late = 1
    texts.append(read())
    return texts
