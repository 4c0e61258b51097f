# Handlers are tried in order, each header a line event.
def classify(action):
    try:
        action()
    except KeyError:
        kind = "key"
    except (IndexError, TypeError):
        kind = "index or type"
    except Exception:
        kind = "other"
    return kind


def main():
    return classify(lambda: {}[1]), classify(lambda: [][1]), classify(lambda: int("x"))
