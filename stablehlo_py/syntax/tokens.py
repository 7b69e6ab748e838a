"""The tokens of MLIR text, with their places, whether the text can be parsed or not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from .scanner import COMMENT, OPAQUE, STRING, VALUE, WORD

Kind = Literal["comment", "string", "value", "block", "symbol", "type", "attribute", "number", "word", "mark"]

_TOKEN = re.compile(
    rf"(?P<comment>{COMMENT})"
    rf"|(?P<string>{STRING}?)"
    rf"|(?P<value>{VALUE})"
    r"|(?P<block>\^[\w$.\-]+)"
    rf"|(?P<symbol>@(?:{STRING}?|[\w$.\-]*))"
    rf"|(?P<type>!{WORD})"
    rf"|(?P<attribute>\#{WORD})"
    r"|(?P<number>-?\d(?:[\d.]*(?:[eE][+-]?\d+)?)(?!x?0x)|0x[0-9A-Fa-f]+)"
    rf"|(?P<word>{WORD})"
    r"|(?P<mark>->|\S)"
)
# Opaque text, which may contain `loc(`, and the first and last characters of a location or of its alias.
_LOCATION = re.compile(rf"{OPAQUE}|(?:^#\w+ = )?\bloc\(|[()]".encode(), re.MULTILINE)
_VISIBLE = re.compile(rb"[^\s]")


class Token(NamedTuple):
    """A token: its kind, its text, and where it begins and ends as offsets of the text."""

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def name(self) -> str:
        """A value without the number of a result: `%0` for `%0#1`."""
        return self.text.partition("#")[0] if self.kind == "value" else self.text


# A third faster than Token(…), for the many tokens of a long text.
_NEW: Callable[[type[Token], tuple[object, ...]], Token] = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text in order. Any other character is a mark of its own."""
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        yield _NEW(Token, (found.lastgroup, found[0], start, end))


def common_ends(before: Sequence[object], after: Sequence[object]) -> tuple[int, int]:
    """Return how many items two sequences share at their beginnings, and how many of the others at their ends."""
    start = _shared(before, after)
    return start, _shared(before[start:][::-1], after[start:][::-1])


def _shared(first: Sequence[object], second: Sequence[object]) -> int:
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[low:middle] == second[low:middle] else (low, middle - 1)
    return low


def without_locations(data: bytes) -> bytes:
    """Return MLIR text with blanks in the place of all locations, so that each op stands where it stood.

    MLIR gives an op without a location the position where it stands.
    """
    parts: list[bytes] = []
    copied = start = depth = 0
    for found in _LOCATION.finditer(data):
        token = found[0]
        if depth:
            depth += {b"(": 1, b")": -1}.get(token, token.endswith(b"loc("))
            if depth == 0:
                parts += [data[copied:start], _VISIBLE.sub(b" ", data[start : found.end()])]
                copied = found.end()
        elif token.endswith(b"loc(") and not token.startswith((b'"', b"//")):
            start, depth = found.start(), 1
    return b"".join([*parts, data[copied:]])
