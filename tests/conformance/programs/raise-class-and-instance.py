# raise of a class makes an instance; raise of an instance is that instance.
class Custom(Exception):
    def __init__(self, code=7):
        super().__init__(code)
        self.code = code


def main():
    codes = []
    for what in (Custom, Custom(8)):
        try:
            raise what
        except Custom as error:
            codes.append(error.code)
    return codes
