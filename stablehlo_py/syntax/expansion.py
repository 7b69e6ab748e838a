"""Text that says much in few words: aliases of aliases, and numbers of thousands of digits.

Both are read or printed in time that grows faster than the text, so a text is looked at before MLIR reads it.
"""

from __future__ import annotations

import re

# The characters that an alias may stand for, or how many times the text.
_LONGEST_ALIAS, _TIMES_THE_TEXT = 1 << 22, 16
_MOST_DIGITS = 4000
# Locations share parts without end, and are printed by their aliases.
_DEFINITION = rb"[ \t]*([!#][A-Za-z_][\w$.-]*)[ \t]*=(?![ \t]*loc\()(.*)"
_FIRST_ALIAS, _LATER_ALIAS = re.compile(_DEFINITION), re.compile(rb"\n" + _DEFINITION)
_USE = re.compile(rb"[!#][A-Za-z_][\w$.-]*")
_DIGITS = re.compile(rb"[0-9]+")
# The characters before digits that are part of a name or a string of hexadecimal digits.
_BEFORE_OTHERS = re.compile(rb'[\w"]')


def excess(text: bytes) -> tuple[int, str] | None:
    """Return the offset of the first text that takes too long to read or print, and the reason; None if there is
    none."""
    number = long_number(text, _MOST_DIGITS)
    if number is not None:
        return number, f"a number of more than {_MOST_DIGITS} digits"
    most = max(_LONGEST_ALIAS, _TIMES_THE_TEXT * len(text))
    lengths: dict[bytes, int] = {}
    first = _FIRST_ALIAS.match(text)
    for alias in [*([] if first is None else [first]), *_LATER_ALIAS.finditer(text)]:
        name, body = alias.groups()
        length = len(body) + sum(lengths.get(use[0], 0) for use in _USE.finditer(body))
        if length > most:
            return alias.start(1), f"'{name.decode()}' stands for more than {most} characters"
        lengths[name] = length
    return None


def long_number(text: bytes, digits: int) -> int | None:
    """Return the offset of the first number of at least `digits` digits; one is at a multiple of their count."""
    position = 0
    while position < len(text):
        run = _DIGITS.match(text, position)
        if run is not None:
            before = text[max(position - digits, 0) : position]
            start = position - len(before) + len(before.rstrip(b"0123456789"))
            if run.end() - start >= digits and not (start and _BEFORE_OTHERS.match(text, start - 1)):
                return start
            position = max(run.end() - run.end() % digits, position)
        position += digits
    return None
