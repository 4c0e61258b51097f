# Loops whose headers stand on several lines.
def main():
    seen = []
    for (
        a,
        b,
    ) in [
        (1, 2),
        (3, 4),
    ]:
        seen.append(a + b)
    while (
        seen
        and seen[-1] > 3
    ):
        seen.pop()
    return seen
