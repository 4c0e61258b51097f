# Returns and exceptions through two nested finally blocks and a with.
class Manage:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        steps.append("exit")


steps = []


def leave(how):
    try:
        try:
            with Manage():
                if how == "return":
                    return how
                if how == "raise":
                    raise ValueError(how)
        finally:
            steps.append("inner")
        return "end"
    finally:
        steps.append("outer")


results = [leave("return"), leave("fall")]
try:
    leave("raise")
except ValueError as error:
    results.append(str(error))
