# super() in a multi-line call, in a property and in a class method.
class Base:
    @classmethod
    def build(cls, *parts):
        return [cls.__name__, *parts]

    @property
    def size(self):
        return 10


class Derived(Base):
    @classmethod
    def build(cls, part):
        return super().build(
            part,
            part * 2,
        )

    @property
    def size(self):
        return super().size + 1


def main():
    return Derived.build("x"), Derived().size
