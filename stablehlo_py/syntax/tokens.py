"""The tokens of MLIR text, with their places, whether the text can be parsed or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeGuard

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
    """Yield the tokens of a text in order. What is no token of MLIR is a mark of one character."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        yield Token(kind, found[0], found.start(), found.end())  # pyright: ignore[reportArgumentType]


def _begins_location(previous: Token | None, before: Token | None) -> TypeGuard[Token]:
    """Whether a parenthesis behind these two tokens is that of a location, and not of the definition of an alias."""
    is_alias = before is not None and before.text == "="
    return previous is not None and previous.kind == "word" and previous.text == "loc" and not is_alias


def without_locations(text: str) -> str:
    """Return the text with each `loc(...)` behind an op or an argument blanked out, so that places stay.

    MLIR gives an op without a location the place where it stands.
    """
    pieces: list[str] = []
    copied, depth, start, previous = 0, 0, -1, None
    before: Token | None = None
    for token in tokens(text):
        if start >= 0:
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0 and token.text == ")":
                pieces += [text[copied:start], re.sub(r"[^\n]", " ", text[start : token.end])]
                copied, start = token.end, -1
        elif token.text == "(" and _begins_location(previous, before):
            start, depth = previous.start, 1
        if token.kind != "comment":
            before, previous = previous, token
    return "".join([*pieces, text[copied:]])
