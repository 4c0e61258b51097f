# title: An error with a cause
# topic: exceptions
# shows: `raise ... from error` leaves a function by a new exception that carries the old one.
#   The frames between are left without reaching their next line.


class ConfigError(Exception):
    pass


def read_port(settings):
    try:
        return int(settings["port"])
    except (KeyError, ValueError) as error:
        raise ConfigError("no usable port") from error


def connect(settings):
    port = read_port(settings)
    return f"listening on {port}"


def main():
    outcomes = []
    for settings in ({"port": "80"}, {}, {"port": "http"}):
        try:
            outcomes.append(connect(settings))
        except ConfigError as error:
            cause = type(error.__cause__).__name__
            outcomes.append(f"{error}: {cause}")
    return outcomes
