# The message for a local and a cell that were deleted.
def main():
    texts = []
    x = 1
    del x
    try:
        x
    except UnboundLocalError as error:
        texts.append(str(error))
    y = 2
    read = lambda: y
    del y
    try:
        y
    except UnboundLocalError as error:
        texts.append(str(error))
    return texts
