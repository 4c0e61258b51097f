# async with whose exit suspends, with an exception inside.
class Pause:
    def __init__(self, name):
        self.name = name

    def __await__(self):
        yield self.name


class Guard:
    async def __aenter__(self):
        await Pause("enter")
        return self

    async def __aexit__(self, kind, error, trace):
        await Pause("exit")
        return True


async def work():
    async with Guard() as first, Guard():
        await Pause("body")
        raise KeyError("k")
    return "done"


def main():
    coroutine = work()
    seen = []
    try:
        while True:
            seen.append(coroutine.send(None))
    except StopIteration as stop:
        return seen, stop.value
