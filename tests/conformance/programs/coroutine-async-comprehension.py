# An asynchronous generator in asynchronous comprehensions.
async def ticks(n):
    for i in range(n):
        yield i


async def gather():
    doubled = [2 * i async for i in ticks(3)]
    some = {i async for i in ticks(3) if i}
    return doubled, sorted(some)


def main():
    try:
        gather().send(None)
    except StopIteration as stop:
        return stop.value
