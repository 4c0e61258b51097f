# The line event when an exception leaves a comprehension, whose variable is put back.
def main():
    try:
        [1 // n for n in (1, 0)]
    except ZeroDivisionError:
        return "caught"
