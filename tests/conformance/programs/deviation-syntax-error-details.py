# The arguments of a SyntaxError: CPython's hold the place.
def main():
    try:
        eval("1 +")
    except SyntaxError as error:
        text = error.msg
    return text
