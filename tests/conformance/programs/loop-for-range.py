# A for loop over a range: the header again before every round.
def main():
    total = 0
    for i in range(3):
        total += i
    return total
