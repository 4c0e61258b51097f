# async with: enter, body, exit.
class Door:
    async def __aenter__(self):
        return "open"

    async def __aexit__(self, kind, error, trace):
        return kind is ValueError


async def visit(fail):
    async with Door() as state:
        if fail:
            raise ValueError("inside")
    return state


def run(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value


def main():
    return run(visit(False)), run(visit(True))
