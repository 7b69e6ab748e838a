"""Operands of functions whose values lie close to the middle between two doubles, where rounding is hard.

Along neighbouring doubles a smooth function is almost a line. Among 2^18 points of a line one lies within about 2^-19
of a middle, in units of the last place: 70 bits are needed to round the function there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np

from .rounding import spacing

_MOST, _FEWEST = 18, 8


def near_tie(value: Callable[[float], Fraction], start: float) -> float | None:
    """Return the operand whose value is closest to a middle, among the doubles from `start` on.

    Args:
        value: The function.
        start: The first operand.

    Returns:
        The operand; None where the function bends too much.
    """
    step = float(spacing(Fraction(start), "f64"))
    first = value(start)
    unit = spacing(first, "f64")
    for bits in range(_MOST, _FEWEST - 1, -2):
        count = 1 << bits
        half, last = value(start + count // 2 * step), value(start + count * step)
        if abs(first + last - 2 * half) * 4 * count < unit:
            past, slope = [_part_of_one(number / unit) for number in (first - unit / 2, (last - first) / count)]
            found = np.arange(count, dtype=np.uint64) * slope + past
            return start + int(np.argmin(np.minimum(found, ~found))) * step
    return None


def nearest_ties(value: Callable[[float], Fraction], operands: Iterable[float], count: int) -> list[float]:
    """Return those operands whose values are closest to a middle, where a function bends too much for `near_tie`."""

    def distance(operand: float) -> Fraction:
        exact = value(operand)
        part = exact / spacing(exact, "f64") % 1
        return abs(part - Fraction(1, 2))

    return sorted(operands, key=distance)[:count]


def _part_of_one(number: Fraction) -> np.uint64:
    """Return the fractional part in units of 2^-64."""
    return np.uint64(int(number * 2**64 // 1) % 2**64)
