# title: Towers of Hanoi
# topic: recursion
# shows: Two recursive calls with the pegs in changed roles; the moves come out in the order of
#   the calls. Each frame keeps its own source, target and spare while the deeper ones run.


def hanoi(disks, source, target, spare, moves):
    if disks == 0:
        return
    hanoi(disks - 1, source, spare, target, moves)
    moves.append(source + target)
    hanoi(disks - 1, spare, target, source, moves)


def main():
    moves = []
    hanoi(3, "A", "C", "B", moves)
    return " ".join(moves)
