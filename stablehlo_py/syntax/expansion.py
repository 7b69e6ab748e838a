"""Text that says much in few words: aliases of aliases, and numbers of thousands of digits.

Both are read or printed in time that grows faster than the text, so a text is looked at before MLIR reads it.
"""

from __future__ import annotations

import re

# The characters that an alias may stand for, or how many times the text.
_LONGEST_ALIAS, _TIMES_THE_TEXT = 1 << 22, 16
_MOST_DIGITS = 4000
# Locations share parts without end, and are printed by their aliases.
_ALIAS = re.compile(rb"^[ \t]*([!#][A-Za-z_][\w$.-]*)[ \t]*=(?![ \t]*loc\()(.*)$", re.MULTILINE)
_USE = re.compile(rb"[!#][A-Za-z_][\w$.-]*")
# Not in strings of hexadecimal digits.
_NUMBER = re.compile(rb'(?<![\w"])[0-9]{%d}' % _MOST_DIGITS)


def excess(text: bytes) -> tuple[int, str] | None:
    """Return the offset of what takes too long to read or to print, and why; None where there is nothing."""
    number = _NUMBER.search(text)
    if number is not None:
        return number.start(), f"a number of more than {_MOST_DIGITS} digits"
    most = max(_LONGEST_ALIAS, _TIMES_THE_TEXT * len(text))
    lengths: dict[bytes, int] = {}
    for alias in _ALIAS.finditer(text):
        name, body = alias.groups()
        length = len(body) + sum(lengths.get(use[0], 0) for use in _USE.finditer(body))
        if length > most:
            return alias.start(1), f"'{name.decode()}' stands for more than {most} characters"
        lengths[name] = length
    return None
