# continue goes back to the header, from the middle and from the end of the body.
def main():
    odd = []
    for n in range(5):
        if n % 2 == 0:
            continue
        odd.append(n)
    k = 4
    while k:
        k -= 1
        if k == 2: continue
        odd.append(-k)
    return odd
