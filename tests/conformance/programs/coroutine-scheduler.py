# A round-robin scheduler over coroutines that yield control.
class Pause:
    def __await__(self):
        yield


async def task(name, rounds, log):
    for n in range(rounds):
        log.append(name + str(n))
        await Pause()


def main():
    log = []
    ready = [task("a", 2, log), task("b", 1, log)]
    while ready:
        current = ready.pop(0)
        try:
            current.send(None)
        except StopIteration:
            continue
        ready.append(current)
    return log
