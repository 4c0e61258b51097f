# A coroutine over an asynchronous generator with try/finally that is left early.
class Tick:
    def __await__(self):
        yield "tick"


async def source(log):
    try:
        for n in range(3):
            await Tick()
            yield n
    finally:
        log.append("closed")


async def consume(log):
    it = source(log)
    async for n in it:
        if n == 1:
            break
    await it.aclose()
    return n


def main():
    log = []
    coroutine = consume(log)
    ticks = 0
    try:
        while True:
            coroutine.send(None)
            ticks += 1
    except StopIteration as stop:
        return stop.value, ticks, log
