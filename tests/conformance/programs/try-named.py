# The name of a handler is bound within it and deleted after it.
def main():
    try:
        [][1]
    except IndexError as error:
        text = str(error)
    return text
