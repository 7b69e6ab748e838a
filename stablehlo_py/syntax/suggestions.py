"""Suggestions for a misspelled word in a program that is refused: an op, a dialect, a value, an attribute, a type."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .spelling import nearest

_SIGNED = r"but got '[^']*\b(?:\d+x)*(si\d+)"  # which StableHLO has without the s
_CPP_NAME = re.compile(r"(?:::mlir::(?:\w+::)*|\bStableHLO_)(\w+?)(?:Attr)?\b")
_WORD = re.compile(r"\s*([A-Za-z]\w*)")
_VALUE = re.compile(r"%[A-Za-z_$.-][\w$.-]*")
_DEFINED = re.compile(r"%[A-Za-z_$.-][\w$.-]*(?=(?::\d+)?\s*[=:,])")
_WRITTEN_ATTRIBUTE = re.compile(r"[{,<]\s*(\w+)\s*=")
# Names elsewhere, of element types and of directions.
_TYPES = {"bool": "i1", "double": "f64", "float": "f32", "half": "f16", "bfloat": "bf16", "index32": "i32"}
_DIRECTIONS = {
    "LESS": "LT", "LESS_EQUAL": "LE", "GREATER": "GT", "GREATER_EQUAL": "GE", "EQUAL": "EQ", "NOT_EQUAL": "NE",
}  # fmt: skip
_Words = tuple[str, str] | None


def without_cpp_names(message: str) -> str:
    """Return a message with `Name` in the place of `::mlir::dialect::Name` and of `StableHLO_NameAttr`."""
    return _CPP_NAME.sub(r"\1", message)


class _Spot(NamedTuple):
    """The place of a message: the text of its line behind it and before it, and all of the program."""

    behind: str
    before: str
    program: str


def suggestion(message: str, text: str, before: str = "", program: str = "") -> tuple[str, str] | None:
    """Return a wrong word and the nearest right one, or None.

    Args:
        message: The parser's message.
        text: The line of the program that it is about, from its column on.
        before: The line up to the column.
        program: All of the program.
    """
    for pattern, rule in _RULES:
        found = re.search(pattern, message)
        if found is not None:
            words = rule(found, _Spot(text, before, program))
            return words if words is not None and words[0] != words[1] else None
    return None


def _op(found: re.Match[str], _spot: _Spot) -> _Words:
    from ..bindings.op_signatures import op_names

    guess = nearest(str(found[1]), op_names(str(found[2])))
    return (found[1], guess) if guess else None


def _dialect(found: re.Match[str], spot: _Spot) -> _Words:
    """Return the op in the dialect that has one of its name, or one like it."""
    from ..bindings.context import PROGRAM_DIALECTS
    from ..bindings.op_signatures import op_names

    written = found[1] or "".join(re.findall(r'"(\w+\.[\w.]+)"\s*$', spot.before))
    dialect, _, name = written.partition(".")
    guess = nearest(dialect, (*PROGRAM_DIALECTS, "check"))
    op = nearest(f"{guess}.{name}", op_names(guess)) if guess else None
    return (written, op) if op else None


def _value(_found: re.Match[str], spot: _Spot) -> _Words:
    word = _VALUE.match(spot.behind)
    guess = word and nearest(word[0], {*_DEFINED.findall(spot.program)} - {word[0]})
    return (word[0], guess) if word and guess else None


def _attribute(found: re.Match[str], spot: _Spot) -> _Words:
    guess = nearest(found[1], [name for name in _WRITTEN_ATTRIBUTE.findall(spot.behind) if name != found[1]])
    return (guess, found[1]) if guess else None


def _keyword(found: re.Match[str], spot: _Spot) -> _Words:
    word = _WORD.match(spot.behind)
    return (word[1], found[1]) if word and nearest(word[1], [found[1]]) else None


def _enumerated(found: re.Match[str], spot: _Spot) -> _Words:
    word, known = _WORD.match(spot.behind), found[1].split(", ")
    guess = "" if word is None else _DIRECTIONS.get(word[1].upper()) or nearest(word[1].upper(), known)
    return (word[1], guess) if word and guess and guess in known else None


def _type(_found: re.Match[str], spot: _Spot) -> _Words:
    word = _WORD.match(spot.behind)
    if word is None:
        return None
    from ..bindings.types import element_type_names

    usual = re.sub(r"^uint(?=\d)", "ui", re.sub(r"^bfloat(?=\d)", "bf", word[1]))
    usual = re.sub(r"^float(?=\d)", "f", re.sub(r"^int(?=\d)", "i", usual))
    known = [*element_type_names(), "tensor"]
    guess = _TYPES.get(usual, usual if usual in known else nearest(usual, known))
    return (word[1], guess) if guess else None


# The first pattern that a message has decides.
_RULES: tuple[tuple[str, Callable[[re.Match[str], _Spot], _Words]], ...] = (
    (r"^(?:custom op|unregistered operation) '((\w+)\.[\w.]+)' (?:is unknown|found in dialect)", _op),
    (r"^Dialect `\w+' not found for custom op '([\w.]+)'|being parsed with an unregistered dialect", _dialect),
    (r"^use of undeclared SSA value name", _value),
    (r"requires attribute '(\w+)'", _attribute),
    (r"to be one of: ([\w, ]+)", _enumerated),
    (_SIGNED, lambda found, _: (found[1], found[1].removeprefix("s"))),
    (r"^(?:expected non-function type|invalid tensor element type|expected type)", _type),
    (r"expected '(\w+)'", _keyword),
)
