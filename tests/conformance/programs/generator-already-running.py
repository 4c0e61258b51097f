# A generator that asks itself for its next value.
def selfish():
    yield next(it)


it = selfish()
try:
    next(it)
except ValueError as error:
    text = str(error)
