# Loops that never run their body; the loop variable is not bound.
def main():
    seen = 0
    for x in []:
        seen += 1
    for y in range(0):
        seen += 1
    else:
        seen -= 1
    return seen
