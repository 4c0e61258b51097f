# title: A robot that matches commands
# topic: control-flow
# shows: match tries its cases in order, binds names as it goes, and checks guards after binding.
#   `go down` binds direction, fails the guard, and falls through to the last case.


def move(position, command):
    x, y = position
    match command.split():
        case ["go", "north" | "up"]:
            return x, y + 1
        case ["go", direction] if direction in ("east", "west"):
            return x + (1 if direction == "east" else -1), y
        case ["jump", distance]:
            return x + int(distance), y
        case ["jump", dx, dy]:
            return x + int(dx), y + int(dy)
        case [verb, *rest]:
            print(f"can't {verb}, ignoring {rest}")
    return position


def main():
    position = (0, 0)
    for command in ["go up", "go west", "go down", "jump 3 -2", "sing a song"]:
        position = move(position, command)
    return position
