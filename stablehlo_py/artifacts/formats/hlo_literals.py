"""Literals of HLO's text, rewritten so that XLA's parser reads the values that XLA's printer means.

| printed | read by XLA as | rewritten as |
|---|---|---|
| `-0` | the integer 0, which has no sign | `-0.0` |
| `5.87747e-39` of type f8e8m0fnu: 2^-127, rounded up | 2^-126 | 2^-127 with all its digits |
| `(nan, 1)` | `(nan, nan)` | `complex` of a constant for each part |
"""

from __future__ import annotations

import re

from ...errors import STRING, InputError

_COMMENT = rb"//[^\n]*+|/\*(?s:.*?)\*/"
_STRING = rb'"(?:[^"\\]++|\\.)*+"' + rb"|'(?:[^'\\]++|\\.)*+'"
_GAP = rb"(?:\s|" + _COMMENT + rb")*+"
_CONSTANT = re.compile(
    rb"%s|%s|\b(?P<element>\w++)(?P<shape>\[[^\]]*\](?:\{[^}]*\})?)%s(?P<op>\bconstant)%s\("
    % (_COMMENT, _STRING, _GAP, _GAP)
)  # fmt: skip
_PARENTHESIS = re.compile(_COMMENT + rb"|[()]")
_MINUS_ZERO = re.compile(rb"(?<![\w.])-0+(?![\w.])")
_NUMBER = rb"-?(?:nan(?:\(0x[0-9a-fA-F]+\))?|inf|[\d.]+(?:[eE][-+]?\d+)?)"
_NUMBERS, _PAIRS = re.compile(_NUMBER), re.compile(rb"\(\s*(%s)\s*,\s*(%s)\s*\)" % (_NUMBER, _NUMBER))
_PARTS = {b"c64": b"f32", b"c128": b"f64"}
_LEAST = 2.0**-127


def exact_literals(text: bytes) -> bytes:
    """Return HLO's text with constants that XLA's parser reads right.

    Raises:
        InputError: The values of a constant are left out. The parser would make some up.
    """
    pieces, copied, position = list[bytes](), 0, 0
    while (found := _CONSTANT.search(text, position)) is not None:
        position = found.end()
        if found["op"] is None:
            continue
        start, position = position, _closing(text, position)
        literal = text[start:position]
        if b"..." in literal:
            raise InputError(
                "the values of a large constant were left out when this HLO was printed",
                location=_location(text, found.start("op")),
            )
        exact = _exact(found["element"], literal)
        if _PARTS.get(found["element"]) and b"nan" in exact:
            type_ = _PARTS[found["element"]] + found["shape"]
            parts = [type_ + b" constant(" + _PAIRS.sub(rb"\%d" % part, exact) + b")" for part in (1, 2)]
            pieces += [text[copied : found.start("op")], b"complex(" + b", ".join(parts)]
            copied = position
        elif exact != literal:
            pieces += [text[copied:start], exact]
            copied = position
    return b"".join([*pieces, text[copied:]])


def _exact(element: bytes, literal: bytes) -> bytes:
    if element == b"f8e8m0fnu":
        return _NUMBERS.sub(_least_of_e8m0, literal)
    is_float = element.startswith((b"f", b"bf", b"c"))
    return _MINUS_ZERO.sub(b"-0.0", literal) if is_float and b"-0" in literal else literal


def _least_of_e8m0(number: re.Match[bytes]) -> bytes:
    is_least = not number[0].endswith(b")") and _LEAST <= float(number[0]) < 1.5 * _LEAST
    return repr(_LEAST).encode() if is_least else number[0]


def _closing(text: bytes, position: int) -> int:
    """Return the position of the parenthesis that ends a literal, or the text's end."""
    depth = 1
    for found in _PARENTHESIS.finditer(text, position):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return len(text)


def _location(text: bytes, position: int) -> str:
    lines = text[:position].split(b"\n")
    return f"{STRING}:{len(lines)}:{len(lines[-1]) + 1}"
