# async for over an asynchronous iterator written by hand.
class Countdown:
    def __init__(self, start):
        self.left = start

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.left == 0:
            raise StopAsyncIteration
        self.left -= 1
        return self.left


async def collect():
    seen = []
    async for n in Countdown(2):
        seen.append(n)
    else:
        seen.append("end")
    return seen


def main():
    try:
        collect().send(None)
    except StopIteration as stop:
        return stop.value
