# Assignments whose targets and values stand on several lines.
def main():
    table = {}
    table[
        "k"
    ] = (
        1
    )
    (
        a,
        b,
    ) = (
        2,
        3,
    )
    a += (
        b
    )
    c = d = [
        a
    ]
    del table[
        "k"
    ], c
    return table, a, b, d
