# title: Operands that never run
# topic: control-flow
# shows: `and` and `or` return one of their operands, not a truth value, and leave the rest
#   uncalled. A model that predicts True, or a call for every operand, diverges at once.


def check(name, value):
    calls.append(name)
    return value


calls = []
both = check("empty list", []) and check("never asked", 1)
either = check("zero", 0) or check("text", "found") or check("too late", 2)
mixed = check("a", None) or check("b", 0) and check("skipped", 3)
print(both, either, mixed)
print(calls)
