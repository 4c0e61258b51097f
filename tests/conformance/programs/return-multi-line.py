# return, raise, assert and subscripts over several lines.
def pick(items, at):
    return items[
        at
    ]


def fail(n):
    raise ValueError(
        "bad",
        n,
    )


def main():
    x = pick(
        [1, 2],
        1,
    )
    try:
        fail(
            x
        )
    except (
        KeyError,
        ValueError,
    ) as error:
        return (
            x,
            error.args,
        )
