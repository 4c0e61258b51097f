# title: An error nobody catches
# topic: exceptions
# shows: The run ends in an exception of the program's own class: finally blocks run on the way
#   out, handlers of other classes don't, and nothing after the failing call happens.


class Overdrawn(Exception):
    pass


def withdraw(account, amount):
    if amount > account["balance"]:
        raise Overdrawn(f"{amount - account['balance']} short")
    account["balance"] -= amount


def pay_all(account, bills):
    paid = 0
    try:
        for bill in bills:
            withdraw(account, bill)
            paid += 1
    except KeyError:
        paid = -1
    finally:
        print(f"paid {paid} of {len(bills)}")
    return paid


def main():
    return pay_all({"balance": 50}, [20, 25, 10, 1])
