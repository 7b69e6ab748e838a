"""Exponentials in more than double precision: exponential, exponential_minus_one, logistic, tanh.

e^x = 2^(n / 512) e^r. n is the integer nearest to 512 x / ln 2, and |r| <= ln 2 / 1024 < 2^-10.5. 2^(n / 512) is a
power of two times T, from a table of 512 numbers. T has 26 bits, and a rest.

Errors, for T in [1, 2): r is x less n times ln 2 / 512, in two parts. The first part has 33 bits: its product and the
difference are exact. The second product is rounded: 2^-75.4. The series of e^r - 1 - r ends before r^6 / 720 < 2^-72.6
and is rounded three times at 2^-22: 2^-73.5. The product of the first 26 bits of r and T is exact. The remaining terms
are less than 2^-20.9 and are rounded four times: 2^-72. T's error is 2^-78. Together, times T: less than 2^-70.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from functools import cache
from typing import Any

import numpy as np

from .double_double import (
    Pair,
    bounds,
    fast_two_sum,
    leading_bits,
    power_of_two,
    quotient,
    scaled,
    split_table,
    two_sum,
)

ERROR = 2.0**-69
"""The error of `exponential_parts`, twice the bound above."""
_D = Context(prec=60)
_STEP = _D.divide(_D.ln(Decimal(2)), Decimal(512))
_STEP_HI = int(_STEP * 2**42) / 2.0**42
_STEP_LO = float(_STEP - Decimal(_STEP_HI))
_STEPS = float(1 / _STEP)


@cache
def _powers() -> tuple[np.ndarray, np.ndarray]:
    return split_table([_D.power(Decimal(2), Decimal(j) / 512) for j in range(512)])


def exponential_parts(x: Any, x_lo: Any = None) -> tuple[Any, Any, Any]:
    """Return hi, lo and exponent: e^(x + x_lo) is (hi + lo) 2^exponent, hi in [0.99, 2.01], |lo| < 2^-20. `x_lo` is
    a last bit of x or less."""
    x = np.clip(x, -800.0, 800.0)
    n = np.rint(x * _STEPS)
    whole = x - n * _STEP_HI
    product = n * _STEP_LO if x_lo is None else n * _STEP_LO - x_lo
    r = whole - product
    r_hi = leading_bits(r)
    series = r * r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))))
    rest = ((whole - r_hi) - product) + series
    index = n.astype(np.int64)
    entry = index & np.int64(511)
    powers_hi, powers_lo = _powers()
    t_hi, t_lo = powers_hi.take(entry), powers_lo.take(entry)
    hi, lo = fast_two_sum(t_hi, t_hi * r_hi)
    return hi, lo + (t_hi * rest + (t_lo + t_lo * (r + series))), index >> np.int64(9)


def exponential(x: Any) -> Pair:
    """Return bounds of e^x."""
    hi, lo, exponent = exponential_parts(x)
    return scaled(*bounds(hi, lo, ERROR), exponent)


def minus_one_parts(x: Any) -> tuple[Any, Any, Any]:
    """Return hi, lo and the error: e^x - 1 is hi + lo, for x up to 700.

    For |x| from 2^-6 on, the error is that of e^x. Below, it is x + x² / 2 and a series, which ends before x^10 / 10!.
    The square of the first 26 bits of x is exact, the rest of the square is less than 2^-25 of it. The errors are at
    most 2^-77 x² there, 2^-53 of |x|³ in the series, and 2^-106 |x| in the last sum.
    """
    hi, lo, exponent = exponential_parts(x)
    factor = power_of_two(np.maximum(exponent, -1000))
    hi, lo = hi * factor, lo * factor
    total, rest = two_sum(hi, -1.0)
    error, lo = hi * ERROR, rest + lo
    small = np.flatnonzero(np.abs(x) < 2.0**-6)
    if small.size:
        y = x[small]
        y_hi, square, series = leading_bits(y), y * y, np.full(y.shape, 1 / math.factorial(9))
        for order in range(8, 2, -1):
            series = series * y + 1 / math.factorial(order)
        total[small], rest = fast_two_sum(y, y_hi * y_hi * 0.5)
        lo[small] = rest + ((y + y_hi) * (y - y_hi) * 0.5 + square * y * series)
        error[small] = np.abs(y) * (square * 2.0**-52 + np.abs(y) * 2.0**-76 + 2.0**-105)
    return total, lo, error


def exponential_minus_one(x: Any) -> Pair:
    """Return bounds of e^x - 1."""
    hi, lo, error = minus_one_parts(np.clip(x, -800.0, 700.0))
    low, high = bounds(hi, lo, error)
    large = x > 700
    if np.count_nonzero(large):  # where -1 is less than the error
        low[large], high[large] = exponential(x[large])
    return low, high


def logistic(x: Any) -> Pair:
    """Return bounds of 1 / (1 + e^-x). The division adds an error of 2^-75."""
    hi, lo, exponent = exponential_parts(-np.clip(x, -700.0, 800.0))
    factor = power_of_two(np.maximum(exponent, -1000))
    total, rest = two_sum(hi * factor, 1.0)
    hi, lo = quotient((1.0, 0.0), fast_two_sum(total, rest + lo * factor))
    low, high = bounds(hi, lo, hi * (2 * ERROR))
    small = x < -700
    if np.count_nonzero(small):  # e^x, less a part of 2^-1000
        low[small], high[small] = exponential(x[small])
    return low, high


def tanh(x: Any) -> Pair:
    """Return bounds of tanh x = -m / (2 + m), where m = e^(-2|x|) - 1; 2 + m is at least 1."""
    size = np.minimum(np.abs(x), 30.0)
    hi, lo, error = minus_one_parts(size * -2.0)
    divisor, rest = fast_two_sum(2.0, hi)
    hi, lo = quotient((hi, lo), fast_two_sum(divisor, rest + lo))
    low, high = bounds(hi, lo, 2 * error - hi * 2.0**-74)
    sign = np.copysign(1.0, -x)
    return low * sign, high * sign
