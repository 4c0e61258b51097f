# Instances with slots are shown by what their slots hold, inherited ones first.
class Base:
    __slots__ = ("a",)


class Both(Base):
    __slots__ = ("b", "__dict__")


def main():
    x = Both()
    x.b = 2
    x.a = 1
    x.c = 3
    return x.a + x.b + x.c
