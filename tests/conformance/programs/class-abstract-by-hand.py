# A template method that calls what its subclasses define.
class Report:
    def render(self):
        return self.head() + "|" + self.body()

    def head(self):
        return "head"

    def body(self):
        raise NotImplementedError("body")


class Short(Report):
    def body(self):
        return "short"


def main():
    good = Short().render()
    try:
        Report().render()
    except NotImplementedError as error:
        return good, error.args
