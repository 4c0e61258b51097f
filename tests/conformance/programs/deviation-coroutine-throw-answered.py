# An exception thrown into an awaitable that answers it: CPython calls the coroutine anew.
class Wait:
    def __await__(self):
        try:
            yield "waiting"
        except ValueError:
            return "thrown"
        return "sent"


async def work(log):
    try:
        log.append(await Wait())
        log.append(await Wait())
    finally:
        log.append("cleaned")


def main():
    log = []
    coroutine = work(log)
    coroutine.send(None)
    coroutine.throw(ValueError)
    coroutine.close()
    return log
