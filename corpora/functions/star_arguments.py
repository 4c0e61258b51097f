# title: Packing and unpacking arguments
# topic: functions
# shows: Positional arguments that are left over land in a tuple, named ones in a dict, and a call
#   can unpack both again. Which value meets which name is decided by the signature alone.


def order(customer, *dishes, table=1, **extras):
    size = len(dishes)
    notes = ", ".join(f"{name}={value}" for name, value in extras.items())
    return f"{customer}@{table}: {size} dishes ({notes})"


def forward(*args, **kwargs):
    kwargs["table"] = kwargs.get("table", 0) + 10
    return order(*args, **kwargs)


def main():
    plain = order("Mira", "soup")
    menu = ["soup", "rice", "tea"]
    full = forward("Jon", *menu, table=4, spicy=True, salt=0)
    return plain, full
