"""The tokens of MLIR text, with their places, whether the text can be parsed or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["comment", "string", "value", "block", "symbol", "type", "attribute", "number", "word", "mark"]

_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*"?)'
    r"|(?P<value>%[\w$.\-]+(?:\#\d+)?)"
    r"|(?P<block>\^[\w$.\-]+)"
    r'|(?P<symbol>@(?:"(?:[^"\\\n]|\\.)*"?|[\w$.\-]*))'
    r"|(?P<type>![A-Za-z_][\w$.]*)"
    r"|(?P<attribute>\#[A-Za-z_][\w$.]*)"
    r"|(?P<number>-?\d(?:[\d.]*(?:[eE][+-]?\d+)?)(?!x?0x)|0x[0-9A-Fa-f]+)"
    r"|(?P<word>[A-Za-z_][\w$.]*)"
    r"|(?P<mark>->|\S)"
)
# Strings and comments, which may contain `loc(`, and the first and last characters of a location or of its alias.
_LOCATION = re.compile(rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*|(?:^#\w+ = )?\bloc\(|[()]', re.MULTILINE)
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


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text in order. Any other character is a mark of its own."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        yield Token(kind, found[0], found.start(), found.end())  # pyright: ignore[reportArgumentType]


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
