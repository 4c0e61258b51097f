# Texts of errors that name what was asked for.
class Robot:
    height = 2


def main():
    texts = []
    for attempt in (
        lambda: Robot().hieght,
        lambda: "abc".uper(),
        lambda: {}["k"],
        lambda: [1][5],
        lambda: "a" + 1,
        lambda: len(5),
        lambda: 3(),
        lambda: None[0],
        lambda: iter(5),
    ):
        try:
            attempt()
        except Exception as error:
            texts.append(f"{type(error).__name__}: {error}")
    return texts
