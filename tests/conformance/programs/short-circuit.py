# and/or evaluate no more than they need and give the deciding operand.
def say(value):
    said.append(value)
    return value


said = []
a = say(0) and say(1)
b = say("") or say([]) or say("x") or say("y")
c = not (say(1) and say(None))
