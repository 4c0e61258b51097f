# A constant condition is not evaluated: the loop goes back to its first statement.
def main():
    count = 3
    while True:
        count -= 1
        if count == 0:
            break
    return count
