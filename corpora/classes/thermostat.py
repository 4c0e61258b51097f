# title: A property that corrects
# topic: classes
# shows: An assignment to a property calls a setter, which may store something else; also the one
#   in __init__. What is read back is not what was written.


class Thermostat:
    LOWEST = 5
    HIGHEST = 30

    def __init__(self, target):
        self.changes = 0
        self.target = target

    @property
    def target(self):
        return self._target

    @target.setter
    def target(self, degrees):
        self._target = max(self.LOWEST, min(degrees, self.HIGHEST))
        self.changes += 1


def main():
    hall = Thermostat(99)
    readings = [hall.target]
    hall.target -= 8
    readings.append(hall.target)
    hall.LOWEST = 15
    hall.target = 0
    readings.append(hall.target)
    return readings, hall.changes, Thermostat.LOWEST
