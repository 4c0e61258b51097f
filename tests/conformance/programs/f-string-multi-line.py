# f-strings over several lines, with calls within.
def part(n):
    return n * "="


def main():
    a = 1
    text = f"""{a}
{part(3)} {
    part(2)
}"""
    joined = (
        f"x{a}"
        f"y{part(1)}"
        "z"
    )
    return text, joined
