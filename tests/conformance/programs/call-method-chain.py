# A chain of method calls over several lines.
class Query:
    def __init__(self):
        self.steps = []

    def add(self, step):
        self.steps.append(step)
        return self


def main():
    steps = (
        Query()
        .add("select")
        .add("where")
        .steps
    )
    return steps
