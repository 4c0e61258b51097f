# Annotations of variables and functions are not evaluated when they are passed.
count: int = 0
later: undefined_name


def scale(n: int, factor: "float" = 2.0) -> undefined_name:
    result: float = n * factor
    unset: str
    return result


class Record:
    name: str
    size: int = 3


value = scale(3)
names = sorted(Record.__annotations__), Record.size
