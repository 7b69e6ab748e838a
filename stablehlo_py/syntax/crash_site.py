"""Find the op in a source text that crashes the compiler when it is read, verified or printed.

The text is read again in child processes: first half of the functions, half of these, and so on, then ever shorter
beginnings of the one that crashes.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from ..bindings import ir
from ..bindings.handover import module_in_child
from ..isolation.limits import Limits
from .outline import Outline, Statement

_ALIAS = re.compile(r"^[#!][\w.]+ = .*$", re.MULTILINE)
_TIMEOUT = 10.0
# Characters of a text whose outline takes about as long.
_LONGEST_TEXT = 1 << 23

Item = TypeVar("Item")


def locate(text: str) -> int | None:
    """Return the line, counted from 1, of the op that crashes the compiler; None if the search does not find it in
    time, or if the text is too long."""
    from ..bindings import make_context

    if len(text) > _LONGEST_TEXT:
        return None
    aliases, trials = "\n".join(_ALIAS.findall(text)), Trials(make_context(allow_unregistered_dialects=True))
    functions = [one for one in Outline(text).all_statements() if one.name == "func.func"]

    def crashes(some: Sequence[Statement], length: int | None = None) -> bool:
        parts = [text[function.start : function.end] for function in some]
        if length is not None:
            parts = [f"{text[some[0].start : some[0].children[length].start]}\n  func.return\n}}"]
        return trials.crash(partial(_read_and_print, "\n".join((aliases, *parts))))

    found = crashing_part(functions, crashes, lambda function: len(function.children))
    if found is None:
        return None
    function, length = found
    return text.count("\n", 0, function.children[length - 1].start if length else function.start) + 1


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
