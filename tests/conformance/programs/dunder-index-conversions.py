# __index__, __int__, __float__, __abs__, __round__ and __divmod__.
class Fixed:
    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n

    def __float__(self):
        return self.n / 2

    def __abs__(self):
        return abs(self.n)

    def __round__(self, digits=0):
        return digits

    def __divmod__(self, other):
        return self.n // other, self.n % other


def main():
    f = Fixed(-3)
    return "abcdef"[f], float(f), abs(f), round(f, 2), divmod(f, 2), hex(f), int(f)
