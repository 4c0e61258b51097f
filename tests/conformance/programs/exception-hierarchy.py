# A user's hierarchy of exceptions with attributes and a __str__ of its own.
class AppError(Exception):
    pass


class Missing(AppError):
    def __init__(self, what):
        self.what = what

    def __str__(self):
        return f"no {self.what}"


def main():
    try:
        raise Missing("file")
    except AppError as error:
        return str(error), isinstance(error, Missing), error.what
