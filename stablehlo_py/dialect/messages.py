"""The constraint of the specification that a message of the verifier is about.

`messages.toml` maps messages, with their values left out, to the number of a constraint and the ops whose constraint
of that number it is about. tools/generate/contracts.py writes it from the suites in tests/lit/verify, where each
function is named after the constraint that it breaks; a message that more than one constraint of an op can cause is
not in it for that op.
"""

from __future__ import annotations

import re
from functools import cache

from .catalog import Constraint, constraints, read_toml

_PREFIX = re.compile(r"^'[\w.-]+' op ")
# What differs from one instance to the next: types, lists and numbers.
_VALUES = (
    re.compile(r"'[^']*(?:<.*?>|\b(?:bf|i|ui|f)\d+|token)[^']*'"),
    re.compile(r"\[[^][]*\]"),
    re.compile(r"\{[^{}]*\}"),
    re.compile(r"(?<![\w#])-?\d[\d.e+-]*(?=\W|$)"),
)
_LIST = re.compile(r"\*(?:, \*)+")


def generalize(message: str) -> str:
    """Return the first line of a message with `*` for types, lists and numbers, and without the op's name."""
    text = _PREFIX.sub("", message.split("\n")[0])
    for values in _VALUES:
        text = values.sub("*", text)
    return _LIST.sub("*", text)


@cache
def _messages() -> dict[str, dict[str, str]]:
    return read_toml("messages.toml")


def violated_constraint(op: str, message: str) -> Constraint | None:
    """Return the constraint of an op that a message of the verifier is about.

    Args:
        op: The op's name without its dialect, such as `gather`.
        message: The verifier's message.

    Returns:
        The constraint, or None where it is not certain.
    """
    about = _messages().get(generalize(message), {})
    number = next((number for number, ops in about.items() if op in ops.split()), "")
    return next((constraint for constraint in constraints().get(op, ()) if constraint.number == number), None)
