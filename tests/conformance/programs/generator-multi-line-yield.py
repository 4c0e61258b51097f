# A yield expression over several lines.
def pieces():
    got = yield (
        1,
        2,
    )
    yield [
        got,
    ]


def main():
    it = pieces()
    a = next(it)
    b = it.send("x")
    return a, b
