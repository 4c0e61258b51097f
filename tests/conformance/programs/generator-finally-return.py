# A generator with return inside try/finally and yields on every way.
def gen(stop):
    try:
        yield "body"
        if stop:
            return "early"
        yield "more"
    except KeyError:
        yield "handler"
    else:
        yield "else"
    finally:
        yield "finally"
    return "late"


def main():
    results = [list(gen(True)), list(gen(False))]
    it = gen(False)
    results.append([next(it), it.throw(KeyError), *it])
    return results
