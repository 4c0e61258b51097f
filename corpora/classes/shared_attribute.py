# title: Attributes of the class, attributes of the instance
# topic: classes
# shows: Reading falls back from the instance to the class, assigning never does: `+=` on a number
#   makes an instance attribute, append on a list changes the one that all share.


class Dog:
    count = 0
    tricks = []

    def __init__(self, name):
        self.name = name
        self.count += 1
        Dog.count += 1

    def learn(self, trick):
        self.tricks.append(trick)


def main():
    rex = Dog("Rex")
    fido = Dog("Fido")
    rex.learn("sit")
    fido.learn("roll")
    counts = rex.count, fido.count, Dog.count
    return counts, rex.tricks, "tricks" in vars(rex)
