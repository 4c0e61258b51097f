# Expressions, lists, dicts and strings over several lines.
def main():
    a = 1
    numbers = [
        a,
        a + 1,
        a
        + 2,
    ]
    table = {
        "x": a,
        "y": [
            a,
        ],
    }
    text = "one " \
        "two " \
        f"{a}"
    total = (a
             + numbers[1]
             * 2)
    return numbers, table, text, total
