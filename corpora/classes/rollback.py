# title: A context manager that rolls back
# topic: classes
# shows: __exit__ runs however the block is left; a true result swallows the exception, and the
#   run goes on after the block, not after the line that failed.


class Transaction:
    def __init__(self, data):
        self.data = data

    def __enter__(self):
        self.saved = dict(self.data)
        return self.data

    def __exit__(self, kind, error, traceback):
        if kind is None:
            return False
        self.data.clear()
        self.data.update(self.saved)
        return issubclass(kind, ValueError)


def main():
    account = {"ada": 10}
    with Transaction(account) as data:
        data["ada"] += 5
    with Transaction(account) as data:
        data["ada"] -= 100
        if data["ada"] < 0:
            raise ValueError("overdrawn")
        data["ada"] = 0
    return account
