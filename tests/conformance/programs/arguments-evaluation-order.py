# Arguments are evaluated from left to right, the function before them.
def note(text):
    order.append(text)
    return text


def pick():
    note("function")
    return lambda *args, **kwargs: None


order = []
pick()(note("a"), *[note("b")], k=note("c"), **{note("d"): note("e")})
table = {note("key"): note("value")}
