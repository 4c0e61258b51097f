# return, break and continue leave a with block through its exit.
class Log:
    def __init__(self, lines):
        self.lines = lines

    def __enter__(self):
        self.lines.append("in")

    def __exit__(self, *details):
        self.lines.append("out")


def leave(lines):
    for n in range(5):
        with Log(lines):
            if n == 0:
                continue
            if n == 2:
                break
    with Log(lines):
        return len(lines)


def main():
    lines = []
    return leave(lines), lines
