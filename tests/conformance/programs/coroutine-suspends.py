# A coroutine that waits on an awaitable which yields to the driver.
class Request:
    def __init__(self, name):
        self.name = name

    def __await__(self):
        answer = yield self.name
        return answer


async def dialogue():
    first = await Request("name")
    second = await Request("age")
    return f"{first} is {second}"


def main():
    coroutine = dialogue()
    asked = [coroutine.send(None), coroutine.send("Ada")]
    try:
        coroutine.send(36)
    except StopIteration as stop:
        return asked, stop.value
