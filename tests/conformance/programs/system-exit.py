# SystemExit raised and caught by the program.
def main():
    try:
        raise SystemExit(3)
    except SystemExit as leave:
        return leave.code
