# The message for raising what is no exception.
def main():
    try:
        raise 42
    except TypeError as error:
        return str(error)
