"""Updates in place of arrays that nothing else can see.

Replaces the copies that `slicing` and `scatter` make of large operands. An operand that dies at an op is donated to it,
in a list. The op owns the operand if nothing but the list refers to it. The user's arguments, constants, views,
listeners and processes that share results have references of their own. So the first update of a loop copies, and the
later ones do not. Gains: `scan that stacks its outputs` of `benchmarks/growth.py`, whose time
grows with the number of steps, and not with its square.
"""

from __future__ import annotations

import weakref
from sys import getrefcount
from typing import Any

import numpy as np


def _taken(values: list[Any], index: int) -> tuple[Any, int]:
    """Take a value out of a list; return it with the number of references to it."""
    value = values[index]
    values[index] = None
    return value, getrefcount(value)


_SOLE = _taken([np.empty(0)], 0)[1]
"""The number of references to a value that only the list referred to."""


def owned(operands: list[Any], index: int = 0) -> np.ndarray:
    """Return an operand as an array to write into: itself if nothing else refers to it, else a copy.

    Args:
        operands: Donated operands. The slot of this one is emptied.
        index: Which one.
    """
    value, references = _taken(operands, index)
    is_sole = references == _SOLE and type(value) is np.ndarray and not weakref.getweakrefcount(value)
    if is_sole and value.flags.owndata and value.flags.writeable and value.flags.c_contiguous:
        return value
    return np.array(value, order="C")
