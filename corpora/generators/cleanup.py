# title: Closing a suspended generator
# topic: generators
# shows: close raises GeneratorExit at the yield where the generator is suspended, so its finally
#   block runs; a generator that was never started has nothing to clean up.


def lend(shelf, book):
    shelf.remove(book)
    try:
        yield f"reading {book}"
        yield f"still reading {book}"
    finally:
        shelf.append(book)


def main():
    shelf = ["atlas", "novel"]
    loan = lend(shelf, "atlas")
    unopened = lend(shelf, "novel")
    status = next(loan)
    during = list(shelf)
    loan.close()
    unopened.close()
    return status, during, shelf, next(loan, "returned")
