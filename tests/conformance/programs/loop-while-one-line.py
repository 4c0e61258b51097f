# A while loop whose body stands on the header's line: one line event a round.
i = 0
while i < 3: i += 1
j = i
