# title: Keys that are equal are one key
# topic: dicts
# shows: 1, True and 1.0 hash and compare alike: the first one stays as the key and the last
#   value wins. Three entries are written, one is left, under a key of the wrong type.

ballot = {1: "yes"}
ballot[True] = "no"
ballot[1.0] = "maybe"
ballot["1"] = "text"
ballot[(1, 2)] = "pair"
kinds = [type(key).__name__ for key in ballot]
print(ballot)
print(kinds, ballot[True], 2 in ballot, (1.0, 2) in ballot)
