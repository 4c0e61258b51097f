# close() of a coroutine that waits runs its finally block.
class Wait:
    def __await__(self):
        yield "waiting"


async def work(log):
    try:
        await Wait()
        log.append("not reached")
    finally:
        log.append("cleaned")


def main():
    log = []
    coroutine = work(log)
    coroutine.send(None)
    coroutine.close()
    return log
