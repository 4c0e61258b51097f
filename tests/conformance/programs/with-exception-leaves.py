# __exit__ returns false: the exception goes on to the caller.
class Watch:
    seen = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.seen = kind.__name__
        return False


def main():
    watch = Watch()
    try:
        with watch:
            raise OSError("gone")
    except OSError as error:
        return watch.seen, str(error)
