"""Items of a benchmark for lm-evaluation-harness, and how answers to them are scored.

Written by `lockstep export lm-eval`. An output is right if it is a Python literal that equals the
value; a value that has no literal (`inf`, `range(0, 3)`) is known by its text, spaces aside. An input
is right if its arguments are literals and the call gives the value (in a process of its own, for 3
seconds at most). `exact` compares the texts.
"""

import ast
import json
import pathlib
import subprocess
import sys

SECONDS = 3


def items(**_):
    import datasets

    path = pathlib.Path(__file__).with_name("ITEMS.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {"test": datasets.Dataset.from_list(rows)}


def answer(results):
    """The first line of the first answer, without the fence of a code block."""
    text = results[0]
    text = text[0] if isinstance(text, list) else text
    lines = [line for line in text.strip().splitlines() if not line.startswith("```")]
    return lines[0].strip() if lines else ""


def literal(text):
    try:
        return True, ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False, None


def score_output(doc, results):
    text = answer(results)
    is_literal, value = literal(text)
    has_literal, real = literal(doc["output"])
    if has_literal:
        equal = is_literal and value == real
    else:
        equal = "".join(text.split()) == "".join(doc["output"].split())
    return {"equal": float(equal), "exact": float(text == doc["output"])}


def arguments_are_literals(call):
    try:
        [statement] = ast.parse(call).body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return False
    if any(keyword.arg is None for keyword in call.keywords):
        return False
    values = call.args + [keyword.value for keyword in call.keywords]
    return all(literal(ast.unparse(value))[0] for value in values)


def score_input(doc, results):
    # The prompt ends with the opening bracket; whatever follows the call is cut off.
    text = doc["function"] + "(" + answer(results)
    end = text.rfind(")") + 1
    text = text[:end] or text
    right = arguments_are_literals(text) and gives(doc, text)
    return {"equal": float(right), "exact": float(text == doc["call"])}


def gives(doc, call):
    # Infinity and NaN have no literal; names of the code come first.
    names = "{'inf': 1e999, 'nan': 1e999 - 1e999, **globals()}"
    program = f"{doc['code']}\nassert eval({doc['output']!r}, {names}) == {call}\n"
    try:
        ran = subprocess.run(
            [sys.executable, "-I", "-c", program], capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0
