# title: A stack machine
# topic: classes
# shows: A small interpreter: words push numbers or call the method that a table names, and the
#   order of the operands is the order of the pops. The program in the data decides the path.


class Machine:
    WORDS = {"+": "add", "-": "subtract", "dup": "duplicate"}

    def __init__(self):
        self.stack = []

    def add(self):
        self.stack.append(self.stack.pop() + self.stack.pop())

    def subtract(self):
        right = self.stack.pop()
        self.stack.append(self.stack.pop() - right)

    def duplicate(self):
        self.stack.append(self.stack[-1])

    def run(self, program):
        for word in program.split():
            if word in self.WORDS:
                getattr(self, self.WORDS[word])()
            else:
                self.stack.append(int(word))
        return self.stack


def main():
    return Machine().run("9 4 - dup + 1 -")
