# __str__, __repr__ and __format__ in f-strings and print.
class Angle:
    def __init__(self, degrees):
        self.degrees = degrees

    def __str__(self):
        return f"{self.degrees} degrees"

    def __repr__(self):
        return f"Angle({self.degrees})"

    def __format__(self, spec):
        return f"<{spec}:{self.degrees}>"


def main():
    angle = Angle(90)
    print(angle)
    return f"{angle} {angle!s} {angle!r} {angle:wide}", str([angle])
