# title: Closing over a list
# topic: closures
# shows: A closure may change a list of the outer function without nonlocal, because the name is
#   not rebound. The history outlives the call that made it.


def make_account(opening):
    history = [opening]

    def deposit(amount):
        history.append(history[-1] + amount)
        return history

    return deposit


def main():
    deposit = make_account(10)
    snapshot = deposit(5)
    deposit(-3)
    return snapshot, len(snapshot)
