# Members of enumerations.
from enum import Enum, Flag, IntEnum, auto


class Color(Enum):
    RED = "r"
    BLUE = "b"


class Level(IntEnum):
    LOW = auto()
    HIGH = auto()


class Access(Flag):
    READ = auto()
    WRITE = auto()


def main():
    red = Color("r")
    high = Level.HIGH
    both = Access.READ | Access.WRITE
    names = [member.name for member in Color]
    return red is Color.RED, high > 1, Access.READ in both, names
