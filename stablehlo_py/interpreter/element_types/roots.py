"""Roots in more than double precision: rsqrt, cbrt. A double near the root is corrected by its exact residual."""

from __future__ import annotations

from typing import Any

import numpy as np

from .double_double import Pair, bounds, divide, fast_two_sum, multiply, power_of_two, square_root, two_product

_FRACTION, _ONE = np.int64((1 << 52) - 1), np.int64(1023)


def _mantissa_and_exponent(x: Any, divisor: int) -> tuple[Any, Any]:
    """m in [1, 2^divisor) and q: x = m 2^(q divisor). Subnormal numbers are scaled first; 0 and others give any."""
    subnormal = np.abs(x) < 2.0**-1022
    if np.count_nonzero(subnormal):
        x = np.where(subnormal, x * 2.0**60, x)
    bits = x.view(np.int64) & np.int64((1 << 63) - 1)
    exponent = (bits >> np.int64(52)) - _ONE
    quotient = exponent // np.int64(divisor)
    field = (exponent - quotient * np.int64(divisor) + _ONE) << np.int64(52)
    return ((bits & _FRACTION) | field).view(np.float64), quotient - np.where(
        subnormal, np.int64(60 // divisor), np.int64(0)
    )


def rsqrt(x: Any) -> Pair:
    """Return bounds of 1 / sqrt(x). Root and quotient have a relative error of at most 14 u² < 2^-102."""
    m, q = _mantissa_and_exponent(x, 2)
    y, y_lo = fast_two_sum(*divide((1.0, 0.0), fast_two_sum(*square_root((m, 0.0)))))
    low, high = bounds(y, y_lo, y * 2.0**-97)
    factor = power_of_two(-q)
    special = ~((x > 0) & (x < np.inf))
    if not np.count_nonzero(special):
        return low * factor, high * factor
    value = np.where(x == 0, np.copysign(np.inf, x), np.where(x == np.inf, 0.0, np.nan))
    return np.where(special, value, low * factor), np.where(special, value, high * factor)


def cbrt(x: Any) -> Pair:
    """Return bounds of the cubic root. With y near it and e = (m - y³) / m, it is y (1 + e / 3 + 2 / 9 e² ...).

    y may be off: the term that is left out counts in the error, so that a C library's root serves as y.
    """
    m, q = _mantissa_and_exponent(x, 3)
    y = np.cbrt(m)
    cube, cube_lo = multiply(two_product(y, y), (y, 0.0))
    e = ((m - cube) - cube_lo) / m
    hi, lo = fast_two_sum(y, y * e * (1 / 3))
    low, high = bounds(hi, lo, y * (e * e + 2.0**-97))
    factor = np.copysign(power_of_two(q), x)
    special = ~((np.abs(x) > 0) & (np.abs(x) < np.inf))
    if not np.count_nonzero(special):
        return low * factor, high * factor
    return np.where(special, x, low * factor), np.where(special, x, high * factor)
