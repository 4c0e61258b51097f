# Iteration by __getitem__ alone ends at IndexError.
class Squares:
    def __getitem__(self, at):
        if at >= 2:
            raise IndexError(at)
        return at * at


def main():
    seen = []
    for n in Squares():
        seen.append(n)
    return seen
