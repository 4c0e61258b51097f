# A module variable that hides a built-in function until it is deleted.
len = lambda things: -1
hidden = len("abc")
del len
shown = len("abc")
