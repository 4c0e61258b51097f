# except* that leaves a part of the group unhandled.
def main():
    try:
        try:
            raise ExceptionGroup("g", [TypeError("t"), OSError("o")])
        except* TypeError:
            part = "type"
    except ExceptionGroup as rest:
        return part, len(rest.exceptions), rest.message
