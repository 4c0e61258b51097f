# __class_getitem__, __instancecheck__ and __missing__.
class Typed:
    def __class_getitem__(cls, item):
        return cls.__name__, item


class Any(type):
    def __instancecheck__(cls, instance):
        return instance is not None


class Thing(metaclass=Any):
    pass


class Default(dict):
    def __missing__(self, key):
        self[key] = key * 2
        return self[key]


typed = Typed["x"]
checks = isinstance(5, Thing), isinstance(None, Thing)
table = Default()
found = table["ab"], table["ab"]
