# A class whose bases and keywords stand on several lines, and a multi-line def.
class Meta(type):
    def __new__(meta, name, bases, body, **options):
        return super().__new__(meta, name, bases, body)


class Thing(
    dict,
    metaclass=Meta,
    option=(
        1
    ),
):
    def method(
        self,
        a=1,
        *args,
        **kwargs,
    ):
        return a


value = Thing().method(
    2,
)
