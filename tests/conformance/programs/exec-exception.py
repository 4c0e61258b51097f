# Exceptions out of text that is run, and text that does not compile.
def main():
    kinds = []
    for text in ("1 / 0", "nope", "1 +"):
        try:
            eval(text)
        except SyntaxError:
            kinds.append("syntax")
        except Exception as error:
            kinds.append(type(error).__name__)
    return kinds
