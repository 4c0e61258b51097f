# except*: each clause takes its part of the group.
def main():
    log = []
    try:
        raise ExceptionGroup("many", [ValueError(1), KeyError("k"), ValueError(2)])
    except* ValueError as group:
        log.append(len(group.exceptions))
    except* KeyError as group:
        log.append(str(group))
    return log
