# title: Sorting twice by different keys
# topic: lists
# shows: sort is stable: what compares equal keeps its order, in reverse sorts too, so sorting by
#   the minor key first and the major key second orders by both.


def rank(players):
    by_name = sorted(players, key=lambda player: player[0])
    by_points = sorted(by_name, key=lambda player: player[1], reverse=True)
    return [name for name, _ in by_points]


def main():
    players = [("Mo", 3), ("Di", 7), ("Al", 3), ("Zoe", 7)]
    ranking = rank(players)
    unchanged = players[0][0]
    result = players.sort()
    return ranking, unchanged, players[0][0], result
