# Raising what is no exception is a TypeError.
def main():
    try:
        raise 42
    except TypeError as error:
        return str(error)
