# __bool__ and __len__ decide the truth of objects.
class Box:
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)


class Never:
    def __bool__(self):
        return False


def main():
    answers = []
    for thing in (Box(), Box(1), Never(), 0, "0", [], [0], None):
        answers.append("true" if thing else "false")
    return answers, not Box(), not Never()
