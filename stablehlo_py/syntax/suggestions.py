"""Suggestions for a misspelled op or element type in a program that is refused."""

from __future__ import annotations

import re

from .spelling import nearest

_UNKNOWN_OP = re.compile(r"(?:custom op|unregistered operation) '((\w+)\.[\w.]+)' (?:is unknown|found in dialect)")
_UNKNOWN_TYPE = re.compile(r"expected non-function type|invalid tensor element type|expected type")
_SIGNED = re.compile(r"but got '[^']*\b(?:\d+x)*(si\d+)")  # which StableHLO has without the s
_WORD = re.compile(r"[A-Za-z]\w*")
# Names of element types elsewhere.
_OTHER_NAMES = {"bool": "i1", "double": "f64", "float": "f32", "half": "f16", "bfloat": "bf16", "index32": "i32"}


def suggestion(message: str, text: str) -> tuple[str, str] | None:
    """Return a wrong word and the nearest right one, or None.

    Args:
        message: The parser's message.
        text: The line of the program that it is about, from its column on.
    """
    op = _UNKNOWN_OP.match(message)
    if op is not None:
        from ..bindings.op_signatures import op_names

        guess = nearest(op[1], op_names(op[2]))
        return (op[1], guess) if guess else None
    signed = _SIGNED.search(message)
    if signed is not None:
        return signed[1], signed[1].removeprefix("s")
    word = _WORD.match(text) if _UNKNOWN_TYPE.match(message) else None
    if word is None:
        return None
    from ..bindings.types import element_type_names

    usual = re.sub(r"^uint(?=\d)", "ui", re.sub(r"^bfloat(?=\d)", "bf", word[0]))
    usual = re.sub(r"^float(?=\d)", "f", re.sub(r"^int(?=\d)", "i", usual))
    known = [*element_type_names(), "tensor"]
    guess = _OTHER_NAMES.get(usual, usual if usual in known else nearest(usual, known))
    return (word[0], guess) if guess not in (None, word[0]) else None
