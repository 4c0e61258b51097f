# Functions that change a module's list and dict; the module's own events show it.
log = []
state = {"n": 0}


def tick():
    state["n"] += 1
    log.append(state["n"])


tick()
tick()
log = log + ["end"]
