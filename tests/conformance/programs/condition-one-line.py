# ifs with their body on the same line, and several statements on a line.
def main():
    a = 3; b = 4
    if a > b: largest = a
    else: largest = b
    if a: a = 0; b = 0
    if a: pass
    elif b: pass
    else: a = "end"
    return a, b, largest
