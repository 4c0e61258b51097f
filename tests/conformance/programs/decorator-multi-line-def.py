# Decorated methods over several lines, with a property and a static method.
def mark(**options):
    def apply(function):
        function.options = options
        return function
    return apply


class Service:
    @mark(
        name="run",
    )
    def run(
        self,
    ):
        return "ran"

    @staticmethod
    @mark(
        name="help"
    )
    def help():
        return "helped"


results = [Service().run(), Service.help(), Service.run.options, Service.help.options]
