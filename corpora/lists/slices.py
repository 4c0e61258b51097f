# title: Slices, negative steps included
# topic: lists
# shows: A slice copies, a negative step swaps the meaning of its ends, ends out of range are cut
#   without an error, and assigning to a slice changes the list's length in place.

week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
copy = week[:]
backwards = week[::-2]
down_to_second = week[4:1:-1]
nothing = week[4:1]
clipped = week[5:99]
copy[1:4] = ["off"]
copy[:0] = ["start"]
del copy[-2:]
print(backwards, down_to_second)
print(nothing, clipped)
print(copy, len(week))
