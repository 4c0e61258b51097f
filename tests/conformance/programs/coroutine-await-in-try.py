# await inside try, with and conditions.
async def ask(n):
    if n < 0:
        raise ValueError(n)
    return n


async def total(numbers):
    result = 0
    for n in numbers:
        try:
            if await ask(n) > 1 and await ask(n * 2):
                result += await ask(n)
        except ValueError:
            result -= 1
    return result


def main():
    try:
        total([1, 2, -3]).send(None)
    except StopIteration as stop:
        return stop.value
