# A class made by calling type, with a method given as a lambda.
def main():
    Dog = type("Dog", (), {"sound": "woof", "speak": lambda self: self.sound * 2})
    dog = Dog()
    return dog.speak(), type(dog) is Dog
