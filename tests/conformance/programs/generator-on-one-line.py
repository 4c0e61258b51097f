# The line event at the first entry of a generator or coroutine whose body stands on its def line.
def numbers(): yield 1
async def waiter(): return 2
made = lambda: (yield 3)


def main():
    try:
        waiter().send(None)
    except StopIteration as stop:
        value = stop.value
    return list(numbers()), list(made()), value
