"""Results in double precision as floats of a narrower type, the same on every machine.

Functions in double precision are off by some last bits, which ones depends on the processor and on the C library.
Rounded to a type of at most 32 bits that is lost, except next to the middle between two of its floats: there, about
once in a million results, `exact` decides.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .rounding import layout, nearest

DOUBTFUL = 64
"""The number of last bits of a double that are not trusted; numpy promises at most four ULPs."""


_NOWHERE = np.zeros(0, np.int64)
_LEAST_TRUSTED = 2.0**-53


def decided(name: str, wide: Any, operands: tuple[Any, ...], dtype: np.dtype) -> Any:
    """Doubles `wide`, the values of a function at these operands, rounded to `dtype`."""
    wide = np.ascontiguousarray(wide).reshape(wide.shape)
    results: Any = np.asarray(wide.astype(dtype))
    suspects = _suspects(wide.reshape(-1), dtype)
    if not suspects.size:
        return results[()]
    flat, values = results.reshape(-1), wide.reshape(-1)[suspects]
    flat[suspects] = nearest(values, dtype)
    numbers = [np.broadcast_to(np.asarray(operand).astype(np.float64), wide.shape) for operand in operands]
    known: dict[tuple[float, ...], Any] = {}
    for place in suspects[_is_doubtful(values, dtype)].tolist():
        found = tuple([float(number.flat[place]) for number in numbers])
        if not all(map(math.isfinite, found)):
            continue
        if found not in known:
            from .exact import rounded

            known[found] = nearest(np.float64(rounded(name, found, *layout(dtype)[1:])), dtype)
        flat[place] = known[found]
    return results[()]


def decided_near_zero(name: str, results: Any, operand: Any) -> Any:
    """Round sines, cosines and tangents of doubles next to zeros and poles, where C libraries lose digits."""
    sizes = np.abs(results)
    least, largest = np.fmin.reduce(sizes, axis=None, initial=1.0), 1 / _LEAST_TRUSTED
    if least >= _LEAST_TRUSTED and (name != "tan" or np.fmax.reduce(sizes, axis=None, initial=1.0) <= largest):
        return results
    doubtful = ((sizes < _LEAST_TRUSTED) | (sizes > largest)) & (np.abs(operand) > 1)
    results, numbers = np.array(results), np.asarray(operand)
    for place in np.flatnonzero(doubtful).tolist():
        from .exact import rounded

        results.flat[place] = rounded(name, (float(numbers.flat[place]),), *layout(results.dtype)[1:])
    return results[()]


def _suspects(wide: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The positions of doubles that may be doubtful, or that numpy's way to the type rounds twice, as it goes by way of
    32 bits."""
    _, mantissa_bits, least_exponent = layout(dtype)
    if mantissa_bits < 7:
        return np.arange(wide.size)
    slack = DOUBTFUL if mantissa_bits == 23 else 1 << 30
    suspect = _is_near_middle(wide, mantissa_bits, slack)
    small = np.abs(wide) < 2.0**least_exponent
    if np.count_nonzero(small):
        suspect |= small & (wide != 0)
    return np.flatnonzero(suspect) if np.count_nonzero(suspect) else _NOWHERE


def _is_near_middle(wide: np.ndarray, mantissa_bits: int, slack: int) -> np.ndarray:
    """Find the doubles that are at most `slack` last bits from the middle between two numbers of `mantissa` bits."""
    shift = 12 + mantissa_bits
    past = (wide.view(np.uint64) << np.uint64(shift)) + np.uint64((1 << 63) + (slack << shift))
    return past <= np.uint64(2 * slack << shift)


def _is_doubtful(wide: np.ndarray, dtype: np.dtype) -> Any:
    """Find the doubles next to the middle between two floats of the type, and those that round to less than the first
    normal one and may be."""
    _, mantissa_bits, least_exponent = layout(dtype)
    doubtful = _is_near_middle(wide, mantissa_bits, DOUBTFUL)
    small = np.abs(wide) < 2.0**least_exponent
    if np.count_nonzero(small):
        below, above = [nearest(wide * (1 + sign * DOUBTFUL * 2.0**-52), dtype) for sign in (-1, 1)]
        doubtful = np.where(small, (below != above) & (wide == wide), doubtful)
    return doubtful
