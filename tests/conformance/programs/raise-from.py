# raise from sets the cause; from None hides the context.
class ConfigError(Exception):
    pass


def load(quiet):
    try:
        return {}["port"]
    except KeyError as error:
        if quiet:
            raise ConfigError("quiet") from None
        raise ConfigError("loud") from error


def main():
    causes = []
    for quiet in (False, True):
        try:
            load(quiet)
        except ConfigError as error:
            causes.append((str(error), repr(error.__cause__), error.__suppress_context__))
    return causes
