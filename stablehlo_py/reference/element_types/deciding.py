"""Results in double precision as floats of a narrower type, the same on every machine.

Functions in double precision are off by some last bits, which ones depends on the processor and on the C library.
Rounded to a type of at most 32 bits that is lost, except next to the middle between two of its floats: there, about
once in a million results, `exact` decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from .exact import rounded
from .rounding import nearest

_DOUBTFUL = 64
"""How many last bits of a double are not trusted; numpy promises at most four ULPs."""


@cache
def _layout(dtype: np.dtype) -> tuple[int, int]:
    """The bits after the first, and the least exponent."""
    limits = ml_dtypes.finfo(dtype)
    return int(limits.nmant), int(limits.minexp)


def decided(name: str, wide: Any, operands: tuple[Any, ...], dtype: np.dtype) -> Any:
    """Doubles `wide`, the values of a function at these operands, rounded to `dtype`."""
    result = nearest(wide, dtype)
    doubtful = _is_doubtful(np.asarray(wide), dtype)
    if not np.count_nonzero(doubtful):
        return result
    result, mantissa_and_exponent = np.array(result), _layout(dtype)
    numbers = [np.broadcast_to(np.asarray(operand).astype(np.float64), result.shape) for operand in operands]
    results: Any = result
    known: dict[tuple[float, ...], Any] = {}
    for place in map(tuple, np.argwhere(doubtful).tolist()):
        found = tuple([float(number[place]) for number in numbers])
        if not all(map(math.isfinite, found)):
            continue
        if found not in known:
            known[found] = nearest(np.float64(rounded(name, found, *mantissa_and_exponent)), dtype)
        results[place] = known[found]
    return results[()]


def _is_doubtful(wide: np.ndarray, dtype: np.dtype) -> Any:
    """Which doubles are next to the middle between two floats of the type, or what rounds to less than the first
    normal one and may be."""
    mantissa_bits, least_exponent = _layout(dtype)
    shift = np.uint64(12 + mantissa_bits)
    slack = _DOUBTFUL << int(shift)
    past = (wide.view(np.uint64) << shift) + np.uint64((1 << 63) + slack)
    doubtful = past <= np.uint64(2 * slack)
    small = np.abs(wide) < 2.0**least_exponent
    if np.count_nonzero(small):
        below, above = [nearest(wide * (1 + sign * _DOUBTFUL * 2.0**-52), dtype) for sign in (-1, 1)]
        doubtful = np.where(small, (below != above) & (wide == wide), doubtful)
    return doubtful


def decisive(of_number: Callable[..., float], dtype: np.dtype) -> Callable[..., float]:
    """A function of numbers in double precision that raises `ValueError` where its value may not tell which float of
    the type is the nearest."""
    mantissa_bits, least_exponent = _layout(dtype)
    splitter = 2.0 ** (52 - mantissa_bits) + 1
    smallest = 2.0**least_exponent
    slack = _DOUBTFUL * 2.0 ** (mantissa_bits - 52)
    low, high = 0.5 + slack, 1 - slack
    frexp = math.frexp

    def checked(*operands: Any) -> float:
        value = of_number(*operands)
        product = value * splitter
        rest = abs(frexp(value - (product - (product - value)))[0])
        if (low < rest < high or not rest) and (value >= smallest or value <= -smallest or not value):
            return value
        raise ValueError(value)

    return checked
