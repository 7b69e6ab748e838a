"""Rounding to a float type: to the nearest, ties to even, once.

ml_dtypes converts a double to a type of eight bits or to bf16 by way of a float, which rounds twice. Here the first
rounding is to odd: an inexact number becomes the neighbour whose last bit is set. The wider type has two bits more, so
that the second rounding is correct.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from ...bindings.python_numbers import rounded, to_odd_single

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FINITE_ONLY = frozenset(
    np.dtype(type_) for type_ in (ml_dtypes.float4_e2m1fn, ml_dtypes.float6_e2m3fn, ml_dtypes.float6_e3m2fn)
)
NUMPY_FLOATS = frozenset({np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)})


def nearest(values: Any, dtype: np.dtype) -> Any:
    """Float values, an array or a scalar, as the nearest ones of a float type; of two equally near ones, the even.

    Overflow gives infinity, in a type without one NaN, and in a type without either the largest value. Infinities and
    NaN become a zero of their sign in a type that has neither. f8E8M0FNU has no zero and no sign: what is too small,
    zero included, becomes its smallest value, and what is negative NaN.
    """
    if values.dtype == dtype:
        return values
    if dtype in NUMPY_FLOATS:
        return dtype.type(values)
    if dtype == BFLOAT16:
        return dtype.type(to_odd_single(values) if values.dtype == np.float64 else values)
    table = _from_bfloat16(dtype)
    single = to_odd_single(values) if values.dtype == np.float64 else np.float32(values)
    bits = np.asarray(single).view(np.uint32)
    # Round to odd in bf16: the upper half of the bits, the last one set where the lower half has any.
    return table[(bits >> np.uint32(16)).astype(np.uint16) | ((bits & np.uint32(0xFFFF)) != 0)]


def to_odd_double(integers: Any) -> Any:
    """64-bit integers rounded to odd doubles."""
    eleven = integers.dtype.type(11)
    magnitude = np.abs(integers) if integers.dtype.kind == "i" else integers
    odd = (integers >> eleven << eleven) | (((integers & integers.dtype.type(2047)) != 0) << eleven)
    fits = magnitude.view(np.uint64) < np.uint64(1 << 53)
    return np.where(fits, integers, odd.astype(integers.dtype)).astype(np.float64)


@cache
def _from_bfloat16(dtype: np.dtype) -> np.ndarray:
    """Return the table from the 65,536 values of bf16 to a type of at most eight bits."""
    values = np.arange(1 << 16, dtype=np.uint16).view(BFLOAT16).astype(np.float32)
    with np.errstate(all="ignore"):
        table = rounded(values, dtype)
        if dtype in FINITE_ONLY:
            zero = np.copysign(np.float32(0), values).astype(dtype)
            table = np.where(np.isfinite(values), table, zero)
    return table
