# An exception while the defaults of a function are evaluated: the def line raises.
made = []
try:
    def broken(
        a=1,
        b=1 // 0,
    ):
        return a
except ZeroDivisionError as error:
    made.append(str(error))
