# __init_subclass__ runs when a class is derived, with the keywords of its header.
class Shape:
    kinds = {}

    def __init_subclass__(cls, sides=0, **rest):
        super().__init_subclass__(**rest)
        Shape.kinds[cls.__name__] = sides


class Square(Shape, sides=4):
    pass


class Circle(Shape):
    pass


kinds = Shape.kinds
