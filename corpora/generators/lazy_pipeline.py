# title: A pipeline pulled from its end
# topic: generators
# shows: Calling a generator runs none of its body; each value is pulled through all stages before
#   the next is made, and reading stops as soon as the consumer does.


def read(lines, log):
    for line in lines:
        log.append(f"read {line}")
        yield line


def parse(lines, log):
    for line in lines:
        number = int(line)
        log.append(f"parsed {number}")
        yield number


def main():
    log = []
    numbers = parse(read(["3", "8", "5"], log), log)
    log.append("nothing ran yet")
    for number in numbers:
        if number > 5:
            break
    return number, log
