# An item of a tuple that is a list: += changes the list and then raises.
def main():
    pair = ([1], 2)
    try:
        pair[0] += [3]
    except TypeError as error:
        problem = str(error)
    return pair, problem
