# An exception crosses awaits and is handled in the outer coroutine.
async def fail():
    raise LookupError("lost")


async def relay():
    await fail()


async def guard():
    try:
        await relay()
    except LookupError as error:
        return f"saved: {error}"


def main():
    try:
        guard().send(None)
    except StopIteration as stop:
        return stop.value
