# A small state machine over a string, module level, with a dict of functions.
def start(c):
    return "number" if c.isdigit() else "start"


def number(c):
    return "number" if c.isdigit() else "done"


states = {"start": start, "number": number}
state = "start"
path = []
for c in "a12.":
    state = states[state](c)
    path.append(state)
    if state == "done": break
else:
    path.append("never")
