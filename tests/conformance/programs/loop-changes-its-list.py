# A list that grows and shrinks while it is iterated over.
def main():
    queue = [3, 2]
    for n in queue:
        if n > 1:
            queue.append(n - 1)
    for n in queue:
        queue.remove(n)
    return queue
