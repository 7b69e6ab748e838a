"""Finds the op in a source text on which the compiler crashes when it reads, verifies or prints it.

The text is read again in child processes: first each function alone, then ever shorter beginnings of the one that
crashes. It is a search over text, made for the usual layout of a program, and gives up where that is not met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..bindings.guarded import run_in_child

_FUNCTION = re.compile(r"^[ \t]*func\.func\b", re.MULTILINE)
_ALIAS = re.compile(r"^[#!][\w.]+ = .*$", re.MULTILINE)
_STATEMENT = re.compile(r"""^[ \t]*(?:%[\w:, %$.-]+ = )?"?[a-z_]+\.[\w.-]+""")
_OPENING = re.compile(r"\{[ \t]*$", re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|//.*')
_BRACKET = re.compile(r"[][{}()/]")
_TIMEOUT = 20.0


def locate(text: str) -> int | None:
    """The line, counted from 1, of the op that crashes the compiler; None where it cannot be told."""
    aliases = "\n".join(_ALIAS.findall(text))
    plain = _STRING.sub(lambda found: _BRACKET.sub(" ", found[0]), text)
    for found in _FUNCTION.finditer(plain):
        body = _body(plain, found.start())
        if body is None:
            continue
        opening, closing = body
        if _crashes(f"{aliases}\n{text[found.start() : closing + 1]}"):
            line = text.count("\n", 0, found.start()) + 1
            return _statement(f"{aliases}\n", text, plain, found.start(), opening, closing) or line
    return None


def _body(plain: str, start: int) -> tuple[int, int] | None:
    """Where the braces of a function's body are: the opening one ends its line."""
    found = _OPENING.search(plain, start)
    if found is None:
        return None
    depth = 0
    for position in range(found.start(), len(plain)):
        depth += {"{": 1, "}": -1}.get(plain[position], 0)
        if depth == 0:
            return found.start(), position
    return None


def _statements(plain: str, opening: int, closing: int) -> Iterator[int]:
    """Where each statement of a body begins, those in its regions left out."""
    depth, position = 0, opening + 1
    for line in plain[opening + 1 : closing].splitlines(keepends=True):
        if depth == 0 and _STATEMENT.match(line):
            yield position
        depth += sum({"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(character, 0) for character in line)
        position += len(line)


def _statement(prefix: str, text: str, plain: str, start: int, opening: int, closing: int) -> int | None:
    """The line of the statement with which the function begins to crash."""
    begins = list(_statements(plain, opening, closing))
    low, high = 0, len(begins) - 1  # the first statement after which the beginning of the function crashes
    while low < high:
        middle = (low + high) // 2
        beginning = text[start : begins[middle + 1]]
        if _crashes(f"{prefix}{beginning}\n  func.return\n}}"):
            high = middle
        else:
            low = middle + 1
    return text.count("\n", 0, begins[low]) + 1 if begins else None


def _crashes(text: str) -> bool:
    outcome = run_in_child(lambda: _read_and_print(text), timeout=_TIMEOUT)
    return outcome.crash.startswith("SIG")


def _read_and_print(text: str) -> None:
    from ..bindings import ir, make_context

    module = ir.Module.parse(text, make_context(allow_unregistered_dialects=True))
    module.operation.get_asm()
