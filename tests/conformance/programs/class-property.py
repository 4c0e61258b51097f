# A property with getter, setter and deleter.
class Celsius:
    def __init__(self, degrees):
        self._degrees = degrees

    @property
    def degrees(self):
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < -273:
            raise ValueError("too cold")
        self._degrees = value

    @degrees.deleter
    def degrees(self):
        self._degrees = None


def main():
    t = Celsius(20)
    t.degrees += 5
    try:
        t.degrees = -300
    except ValueError as error:
        problem = str(error)
    del t.degrees
    return t.degrees, problem
