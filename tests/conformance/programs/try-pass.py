# try statements with bodies that only pass.
def main():
    try:
        pass
    except ValueError:
        pass
    else:
        pass
    finally:
        pass
    try:
        raise ValueError
    except ValueError:
        pass
    return "end"
