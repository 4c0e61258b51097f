# A small stack machine: match inside a loop in a module.
stack = []
for instruction in [("push", 2), ("push", 3), ("add",), ("neg",)]:
    match instruction:
        case ("push", value):
            stack.append(value)
        case ("add",):
            stack.append(stack.pop() + stack.pop())
        case (other,):
            stack.append(-stack.pop())
