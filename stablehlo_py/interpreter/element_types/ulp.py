"""Float types as sets of values: their formats, the order of their values, and distances in units in the last place.

The distance of two values of one type is the number of steps between them in the order of all its values. The zeros of
both signs are one value there, and infinity is the step after the largest number. The error of a number that has more
digits than a type is in units of the type's spacing there. Both agree on values between two powers of two.

`check.expect_close` alone takes infinities apart: the check dialect counts steps between finite values only.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ...bindings.types import dtype_name, element_type

INCOMPARABLE = np.uint64(2**64 - 1)
"""The distance between a number and a NaN, more than between any two numbers."""


def parts(array: np.ndarray) -> np.ndarray:
    """Add a dimension to an array: the real and the imaginary part of complex elements, otherwise the element."""
    if array.dtype.kind != "c":
        return array[..., np.newaxis]
    return np.ascontiguousarray(array).view(f"f{array.dtype.itemsize // 2}").reshape(*array.shape, 2)


@cache
def layout(dtype: np.dtype) -> tuple[int, int, int]:
    """The exponent and mantissa bits of a float type, or of a complex type's parts, and the least normal exponent."""
    limits = ml_dtypes.finfo(dtype)
    return int(limits.nexp), int(limits.nmant), int(limits.minexp)


def smallest_normal(dtype: np.dtype) -> float:
    """Return the smallest normal number of a float type."""
    return 2.0 ** layout(dtype)[2]


@cache
def largest(dtype: np.dtype) -> float:
    """The largest finite number of a float type."""
    return float(ml_dtypes.finfo(dtype).max)


def epsilon(dtype: np.dtype) -> float:
    """Return the distance from 1 to the next number of a float type."""
    return 2.0 ** -layout(dtype)[1]


def spacing(values: np.ndarray, dtype: np.dtype) -> npt.NDArray[Any]:
    """Return the distance from each value to the next one of a float type: in double precision if that is enough."""
    wide = np.float64 if values.dtype == np.float64 and layout(dtype)[1] < 24 else np.longdouble
    sizes = np.where(np.isfinite(values), np.abs(values), 0)
    _, exponents = np.frexp(np.maximum(sizes, smallest_normal(dtype)))
    return np.ldexp(wide(1), exponents - 1 - layout(dtype)[1])


def ordinals(floats: np.ndarray) -> npt.NDArray[np.int64]:
    """Return floats as integers that grow by one from a value of the type to the next, and any integers for NaN."""
    described = element_type(dtype_name(floats.dtype))
    bits = floats.view(f"u{floats.dtype.itemsize}").astype(np.int64)
    if not described.has_sign:
        return bits
    magnitudes = bits & ((1 << (described.bits - 1)) - 1)
    return np.where(bits >> (described.bits - 1) & 1, -magnitudes, magnitudes)


def distance(lhs: np.ndarray, rhs: np.ndarray) -> npt.NDArray[np.uint64]:
    """Return the steps between the elements of two arrays of one type, the larger of both parts of complex ones.

    Two NaN are 0 apart, a number and a NaN `INCOMPARABLE`.
    """
    first, second = parts(lhs), parts(rhs)
    orders, nans = (ordinals(first), ordinals(second)), (np.isnan(first), np.isnan(second))
    steps = np.maximum(*orders).astype(np.uint64) - np.minimum(*orders).astype(np.uint64)  # modulo 2^64, thus exact
    return np.where(nans[0] | nans[1], np.where(nans[0] & nans[1], np.uint64(0), INCOMPARABLE), steps).max(-1)


def error(found: np.ndarray, exact: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return how far numbers are from exact ones, both in a wide type, in units of the spacing of `dtype` there.

    An infinity is the step after the largest number, and all that the wide type has beyond. It is infinitely far from
    numbers below the last power of two, as a NaN is from all numbers.
    """
    most = largest(dtype)
    with np.errstate(all="ignore"):
        if np.maximum(np.abs(found), np.abs(exact)).max(initial=0) <= most / 2:
            return np.abs(found - exact) / spacing(exact, dtype)
        equal = (found == exact) | (np.isnan(found) & np.isnan(exact))
        last = (found * exact > 0) & (np.minimum(np.abs(found), np.abs(exact)) > most / 2)
        end = np.where(last & (np.isinf(found) | np.isinf(exact)), most + spacing(np.array(most), dtype), np.inf)
        apart = np.abs(np.clip(found, -end, end) - np.clip(exact, -end, end))
        units = np.where(equal, 0, apart / spacing(np.clip(exact, -most, most), dtype))
    return np.where(np.isnan(units), np.inf, units)
