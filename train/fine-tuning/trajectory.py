"""What a trajectory is to a trainer: its special tokens, and which of its tokens are states.

A trajectory is the program, a first state, and then pairs of an action and the state it led to:

    <|begin_of_text|><|trace_context_start|>PROGRAM<|frame_sep|>STATE
    <|action_sep|>ACTION<|frame_sep|>STATE <|action_sep|>ACTION<|frame_sep|>STATE ...
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

#: The label of a token that carries no loss.
IGNORED = -100

FRAME = "<|frame_sep|>"
ACTION = "<|action_sep|>"
END = "<|end_of_text|>"

#: Without these `lockstep doctor` refuses a model.
FORWARD = (
    "<|begin_of_text|>",
    END,
    "<|trace_context_start|>",
    "<|trace_end|>",
    FRAME,
    ACTION,
    "<|src_sep|>",
    "<|arg_sep|>",
    "<|call_sep|>",
    "<|line_sep|>",
    "<|return_sep|>",
    "<|exception_sep|>",
    "<|step_into|>",
    "<|step_over|>",
    "<|step_return|>",
    "<|breakpoint|>",
    "<|continue|>",
    "<|exit_normal|>",
    "<|exit_error|>",
    "<|exit_never|>",
)

#: What walks backward are told with besides.
INVERSE = (
    "<|inv_call_sep|>",
    "<|inv_line_sep|>",
    "<|inv_line_call_sep|>",
    "<|inv_return_sep|>",
    "<|inv_step_into|>",
    "<|inv_step_over|>",
    "<|inv_step_call|>",
    "<|inv_exit_entry|>",
)


def special_tokens(dataset: Path) -> list[str]:
    """The special tokens of a dataset: those it lists, or else those known here."""
    listed = dataset / "special_tokens.json"
    if not listed.exists():
        return [*FORWARD, *INVERSE]
    roles = json.loads(listed.read_text(encoding="utf-8"))
    names: list[str] = []
    for value in roles.values():
        names.extend([value] if isinstance(value, str) else value)
    return names


def labels(ids: Sequence[int], frame: int, action: int, end: int) -> list[int]:
    """The tokens that carry loss: the states that an action led to, each with what ends it.

    A state begins after the `frame` token that closes its action. It ends with the next `action`
    token, or with `end` after an exit, so a model learns where to stop. The program, the first
    state and the actions are given, never predicted.

    >>> marks = frame, action, end = 1, 2, 3
    >>> given = [90, frame, 10, action, 50, frame]
    >>> labels([*given, 11, 12, action, 50, frame, 13, end], *marks)
    [-100, -100, -100, -100, -100, -100, 11, 12, 2, -100, -100, 13, 3]
    >>> labels([*given, 11], *marks)  # a trajectory that is cut
    [-100, -100, -100, -100, -100, -100, 11]
    """
    found = [IGNORED] * len(ids)
    asked = inside = False
    for at, token in enumerate(ids):
        if inside:
            found[at] = token
            inside = token not in (action, end)
            asked = token == action
        elif token == action:
            asked = True
        elif token == frame and asked:
            asked, inside = False, True
    return found
