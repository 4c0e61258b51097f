# title: Inheritance and super
# topic: classes
# shows: A method of the base class that calls self.area reaches the override, and super reaches
#   the base from within it. Which body runs depends on the instance, not on the text around.


class Shape:
    def __init__(self, name):
        self.name = name

    def area(self):
        return 0

    def describe(self):
        return f"{self.name} of {self.area()}"


class Rectangle(Shape):
    def __init__(self, width, height):
        super().__init__("rectangle")
        self.width = width
        self.height = height

    def area(self):
        return self.width * self.height


class Square(Rectangle):
    def __init__(self, side):
        super().__init__(side, side)
        self.name = "square"

    def describe(self):
        return super().describe().upper()


def main():
    shapes = [Shape("nothing"), Rectangle(2, 3), Square(4)]
    return [shape.describe() for shape in shapes]
