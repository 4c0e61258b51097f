# break, continue and return inside cases of a match in a loop.
def run(commands):
    out = []
    for command in commands:
        match command.split():
            case ["skip"]:
                continue
            case ["stop"]:
                break
            case ["give", value]:
                return out, value
            case [name, *_] if name.isupper():
                out.append(name)
            case []:
                pass
            case _:
                out.append("?")
    else:
        out.append("all")
    return out


def main():
    return run(["A 1", "skip", "x y", ""]), run(["B", "stop", "C"]), run(["give me"])
