# Patterns, guards and subjects over several lines.
def kind(a, b):
    match (
        a,
        b,
    ):
        case (
            0,
            0,
        ):
            return "origin"
        case (
            x,
            y,
        ) if (
            x == y
            or x == -y
        ):
            return "diagonal"
        case (
            _,
            0
            | 1
        ):
            return "low"
    return "elsewhere"


def main():
    return kind(0, 0), kind(2, -2), kind(5, 1), kind(3, 7)
