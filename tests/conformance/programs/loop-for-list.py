# A for loop over a list in a module, so that the loop variable outlives it.
words = ["a", "bc", "def"]
sizes = []
for word in words:
    sizes.append(len(word))
last = word
