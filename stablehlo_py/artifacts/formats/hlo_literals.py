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

_COMMENT = rb"//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)"
_STRING = rb'"(?:[^"\\]++|\\.)*+(?:"|\Z)' + rb"|'(?:[^'\\]++|\\.)*+(?:'|\Z)"
_GAP = rb"(?:\s|%s)*+" % _COMMENT
_SHAPE = rb"\[[\d,<=?\s]*+\](?:\{[^{}]*+\})?"
_BODY = rb"(?:[^()/]++|%s|\((?:[^()]++|\([^()]*+\))*+\))*+" % _COMMENT
_CONSTANT = re.compile(
    rb"%s|%s|(?P<before>\b(?P<element>\w++)(?P<shape>%s)%s)(?P<op>\bconstant%s\()(?P<literal>%s)\)"
    % (_COMMENT, _STRING, _SHAPE, _GAP, _GAP, _BODY)
)
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
    return _CONSTANT.sub(_exact_constant, text)


def _exact_constant(found: re.Match[bytes]) -> bytes:
    element, literal = found["element"], found["literal"]
    if literal is None:
        return found[0]
    if b"..." in literal:
        lines = found.string[: found.start("op")].split(b"\n")
        message = "the values of a large constant were left out when this HLO was printed"
        raise InputError(message, location=f"{STRING}:{len(lines)}:{len(lines[-1]) + 1}")
    if element == b"f8e8m0fnu":
        literal = _NUMBERS.sub(_least_of_e8m0, literal)
    elif element.startswith((b"f", b"bf", b"c")) and b"-0" in literal:
        literal = _MINUS_ZERO.sub(b"-0.0", literal)
    if element not in _PARTS or b"nan" not in literal:
        return found["before"] + found["op"] + literal + b")"
    parts = [b"%s%s constant(%s)" % (_PARTS[element], found["shape"], _PAIRS.sub(rb"\%d" % n, literal)) for n in (1, 2)]
    return found["before"] + b"complex(" + b", ".join(parts) + b")"


def _least_of_e8m0(number: re.Match[bytes]) -> bytes:
    is_least = not number[0].endswith(b")") and _LEAST <= float(number[0]) < 1.5 * _LEAST
    return repr(_LEAST).encode() if is_least else number[0]
