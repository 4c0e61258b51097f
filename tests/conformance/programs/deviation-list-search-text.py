# The message of list.remove and list.index for what is not there.
def main():
    texts = []
    for search in ([].remove, [1].index):
        try:
            search(3)
        except ValueError as error:
            texts.append(str(error))
    return texts
