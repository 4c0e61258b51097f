"""Writes a log like one of `lockstep eval`, of any number of steps, to measure how reports grow.

    python3 benches/make_log.py 1000000 > big.jsonl
    /usr/bin/time -v lockstep report big.jsonl --format html --out big.html

The steps are drawn at random with a fixed seed: one in four is wrong, with texts of usual length.
"""

import json
import random
import sys

STEPS_OF_A_PROGRAM = 200
CONSTRUCTS = ["assignment", "augmented-assignment", "call", "comparison", "for", "if", "return", "while"]
ACTIONS = ["step_into", "step_over", "step_return", "breakpoint:    total += n"]

random.seed(0)


def header(programs):
    recipe = {
        "tool": "0.1.0", "python": "Python",
        "model": {"name": "a-model", "sha256": "00", "dialect": "debugger", "context": 4096},
        "corpus": {"sha256": "00", "programs": programs},
        "mode": "follow", "method": "scoring", "policy": "mixed", "seed": 0, "most_steps": 1000,
        "limits": {"steps": 100000, "time": 10.0, "memory": 536870912, "output": 1048576,
                   "depth": 1000, "value": 1000},
    }
    # What the recipe holds more is copied from a log of this version, given as second argument.
    if len(sys.argv) > 2:
        recipe = json.loads(open(sys.argv[2]).readline())["recipe"] | {"corpus": recipe["corpus"]}
    return {"record": "header", "schema": 1, "shard": {"index": 0, "of": 1}, "recipe": recipe}


def step(place, number):
    line, agree = random.randint(1, 40), random.random() > 0.25
    value = [random.randint(0, 99) for _ in range(random.randint(1, 12))]
    wrong = value[:-1] + [random.randint(0, 99)]
    names = random.sample(["xs", "total", "n", "i", "best", "seen"], 4)
    local = lambda name: {"field": f"locals.{name}", "type": "list", "changed": random.random() < 0.3}
    diff = [{"field": f"locals.{names[0]}", "kind": "changed", "real": str(value), "predicted": str(wrong)}]
    return {
        "record": "step", "place": place, "step": number, "action": random.choice(ACTIONS),
        "from": number - 1, "line": line, "depth": random.randint(0, 3),
        "constructs": sorted(random.sample(CONSTRUCTS, 2)), "horizon": random.choice([1, 1, 2, 5, 20]),
        "event": random.choice(["line", "line", "line", "call", "return"]), "to_line": line + 1,
        "exit": None, "predicted_exit": None, "predicted_line": line + (1 if agree else 2),
        "agree": agree, "confidence": round(random.uniform(0.5 if agree else 0, 1), 6),
        "fields": [{"field": "event", "changed": True}, {"field": "source", "changed": True}]
        + [local(name) for name in names],
        "diff": [] if agree else diff, "bits": round(random.expovariate(1), 6),
    }


def main():
    steps = int(sys.argv[1])
    programs = -(-steps // STEPS_OF_A_PROGRAM)
    write = lambda record: sys.stdout.write(json.dumps(record, separators=(",", ":")) + "\n")
    write(header(programs))
    for place in range(programs):
        own = min(STEPS_OF_A_PROGRAM, steps - place * STEPS_OF_A_PROGRAM)
        for number in range(1, own + 1):
            write(step(place, number))
        write({"record": "program", "place": place, "id": f"programs/p{place:05}.py", "status": "done",
               "steps": own, "exit": "normal", "statements": list(range(1, 42))})


main()
