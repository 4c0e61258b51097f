# __getattr__ for what is missing, __setattr__ for every assignment, __delattr__.
class Loose:
    def __init__(self):
        self.store = {}

    def __getattr__(self, name):
        return f"<{name}>"

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        self.store[name] = "deleted"


def main():
    loose = Loose()
    loose.x = 1
    del loose.x
    return loose.x, loose.y, loose.store
