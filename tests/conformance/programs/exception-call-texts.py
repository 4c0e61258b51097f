# Texts of the errors of calls with wrong arguments.
def two(a, b):
    return a, b


class Thing:
    def method(self, x):
        return x


def main():
    texts = []
    for attempt in (
        lambda: two(1),
        lambda: two(),
        lambda: two(1, 2, 3),
        lambda: two(1, c=2),
        lambda: two(1, 2, a=3),
        lambda: Thing().method(),
        lambda: Thing(5),
        lambda: two(*5),
        lambda: two(**{"a": 1}),
    ):
        try:
            attempt()
        except TypeError as error:
            texts.append(str(error))
    return texts
