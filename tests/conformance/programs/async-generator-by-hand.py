# An asynchronous generator driven by its __anext__ and asend.
async def ticker():
    got = yield "first"
    yield got


def step(awaitable):
    try:
        awaitable.send(None)
    except StopIteration as stop:
        return stop.value
    except StopAsyncIteration:
        return "over"


def main():
    it = ticker()
    return step(it.__anext__()), step(it.asend("sent")), step(it.__anext__())
