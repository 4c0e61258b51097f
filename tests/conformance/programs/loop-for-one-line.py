# A for loop whose body stands on the header's line, over an iterator without a length.
total = 0
for c in "abc": total += ord(c)
for pair in zip("ab", (1, 2)): last = pair
done = True
