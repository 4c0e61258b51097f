# Nested groups split by except*; the arguments of the group that is made of what is left.
def main():
    inner = ExceptionGroup("inner", [ValueError("v"), TypeError("t")])
    log = []
    try:
        try:
            raise ExceptionGroup("outer", [inner, KeyError("k")])
        except* ValueError as group:
            log.append([type(e).__name__ for e in group.exceptions])
        except* TypeError:
            raise OSError("new")
    except ExceptionGroup as rest:
        log.append(sorted(type(e).__name__ for e in rest.exceptions))
    return log
