# A coroutine driven by hand: send() to start and to the end.
async def add(a, b):
    return a + b


async def twice(n):
    first = await add(n, n)
    return first


def main():
    coroutine = twice(4)
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
