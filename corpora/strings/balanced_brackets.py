# title: Balanced brackets
# topic: strings
# shows: A stack of open brackets grows and shrinks with the text; the first mismatch ends the
#   scan. What matters is the top of the stack, not how many of each kind there are.

PAIRS = {")": "(", "]": "[", "}": "{"}


def first_error(text):
    stack = []
    for position, char in enumerate(text):
        if char in "([{":
            stack.append(char)
        elif char in PAIRS:
            if not stack or stack.pop() != PAIRS[char]:
                return position
    return len(text) if stack else -1


def main():
    return [first_error(text) for text in ("a[(b)c]", "([x)]", "((", "}")]
