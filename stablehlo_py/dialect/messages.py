"""The constraint of the specification that a message of the verifier is about.

`messages.toml` maps messages without their values to the number of a constraint and the ops that have it.
tools/generate/contracts.py writes it from the suites in tests/lit/verify, whose functions are named after the
constraint that they break. A message is left out for an op if more than one of its constraints can cause it.
"""

from __future__ import annotations

import re
from functools import cache

from .catalog import Constraint, constraints, read_toml

_PREFIX = re.compile(r"^'[\w.-]+' op ")
# The parts of a message that vary: types, lists and numbers.
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


def constraint_note(op: str, message: str) -> str:
    """Return a note about the constraint that a message of the verifier is about, or an empty text."""
    constraint = violated_constraint(op, message)
    if constraint is None:
        return ""
    return f"this breaks constraint {constraint.number} of {op}: {constraint.label}; --explain-op={op} lists all"
