"""Find the op in a source text that crashes the compiler when it is read, verified or printed.

The text is read again in child processes: first half of the functions, half of these, and so on, then ever shorter
beginnings of the one that crashes. The search is over text, made for the usual layout of a program, and gives up on
other layouts.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TypeVar

from ..bindings import ir
from ..bindings.handover import module_in_child
from ..isolation.limits import Limits

_FUNCTION = re.compile(r"^[ \t]*func\.func\b", re.MULTILINE)
_ALIAS = re.compile(r"^[#!][\w.]+ = .*$", re.MULTILINE)
_STATEMENT = re.compile(r"""^[ \t]*(?:%[\w:, %$.-]+ = )?"?[a-z_]+\.[\w.-]+""")
_OPENING = re.compile(r"\{[ \t]*$", re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|//.*')
_BRACKET = re.compile(r"[][{}()/]")
_BRACE = re.compile(r"[{}]")
_TIMEOUT = 10.0

Item = TypeVar("Item")

# Where a function begins, and where its braces are.
_Function = tuple[int, int, int]


def locate(text: str) -> int | None:
    """Return the line, counted from 1, of the op that crashes the compiler; None if the search runs out of time or
    gives up."""
    from ..bindings import make_context

    plain = _STRING.sub(lambda found: _BRACKET.sub(" ", found[0]), text)
    aliases, trials = "\n".join(_ALIAS.findall(text)), Trials(make_context(allow_unregistered_dialects=True))
    functions = [(found.start(), *body) for found in _FUNCTION.finditer(plain) if (body := _body(plain, found.start()))]

    @cache
    def statements(function: _Function) -> list[int]:
        return list(_statements(plain, *function[1:]))

    def crashes(some: Sequence[_Function], length: int | None = None) -> bool:
        parts = [text[start : closing + 1] for start, _, closing in some]
        if length is not None:
            parts = [f"{text[some[0][0] : statements(some[0])[length]]}\n  func.return\n}}"]
        return trials.crash(partial(_read_and_print, "\n".join((aliases, *parts))))

    found = crashing_part(functions, crashes, lambda function: len(statements(function)))
    if found is None:
        return None
    function, length = found
    return text.count("\n", 0, statements(function)[length - 1] if length else function[0]) + 1


def crashing_part(
    items: Sequence[Item], crashes: Callable[..., bool], length_of: Callable[[Item], int]
) -> tuple[Item, int] | None:
    """Return the item that crashes alone, such as a function, and the length of its shortest beginning that does.

    Args:
        items: Items that crash together.
        crashes: Whether some items crash; the first of them cut to a length, if there is one more argument.
        length_of: The length of an item: all of it crashes.
    """
    group = items
    while len(group) > 1:
        middle = len(group) // 2
        parts = (group[:middle], group[middle:], *[[item] for item in group])  # the last if it takes several of them
        group = next((part for part in parts if crashes(part)), ())
    if not group or (len(items) == 1 and not crashes(group)):
        return None
    (item,) = group
    return item, bisect_left(range(length_of(item)), True, key=lambda length: crashes(group, length))


class Trials:
    """Jobs that are tried in child processes, as long as there is time."""

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        self.deadline = time.monotonic() + _TIMEOUT

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.deadline

    def crash(self, job: Callable[[ir.Context], tuple[None, None]]) -> bool:
        """Return whether a job crashes; False without a trial if the time is over."""
        remaining = self.deadline - time.monotonic()
        return remaining > 0 and module_in_child(job, self.context, bounds=Limits(remaining)).crash.startswith("SIG")


def _read_and_print(text: str, context: ir.Context) -> tuple[None, None]:
    ir.Module.parse(text, context).operation.get_asm()
    return None, None


def _body(plain: str, start: int) -> tuple[int, int] | None:
    """Return the offsets of the braces of a function's body: the opening one ends its line."""
    found = _OPENING.search(plain, start)
    if found is None:
        return None
    depth = 0
    for brace in _BRACE.finditer(plain, found.start()):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return found.start(), brace.start()
    return None


def _statements(plain: str, opening: int, closing: int) -> Iterator[int]:
    """Return the offsets of the first characters of a body's statements, without statements in its regions."""
    depth, position = 0, opening + 1
    for line in plain[opening + 1 : closing].splitlines(keepends=True):
        if depth == 0 and _STATEMENT.match(line):
            yield position
        depth += sum({"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(character, 0) for character in line)
        position += len(line)
