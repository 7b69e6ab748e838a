"""Logarithms in more than double precision: log, log_plus_one, power.

x = 2^e m, with m in [0.707, 1.415) next to c, a number of 9 bits. log x = e ln 2 + log c + log(1 + r), with
r = m / c - 1 and |r| < 2^-9.9. 1 / c is rounded to 26 bits, and the table has the logarithm of that. e ln 2 +
log c is the sum of a multiple of 2^-41, exactly, and of a rest. Next to 1 both are 0, and r = x - 1.

Errors: r is exact as a sum of two doubles, as m is split. So is the square of its first 26 bits; the rest of the square
is less than 2^-36 and is rounded three times: 2^-87. The series of log(1 + r) - r + r² / 2 is less than r³ / 2.9, is
rounded four times there, and ends before r^8 / 8. Relative to r, that is 2^-19.8 (4 u / 2.9) + 2^-72.3 < 2^-71.2. The
rest of e ln 2 + log c is less than 2^-31 and is rounded three times: 2^-82. `fast_two_sum` keeps what the large sums
drop. Together, where e ln 2 + log c is not 0, and so at least 2^-9.6: less than 2^-80.5, which is 2^-70.5 of log x.
"""

from __future__ import annotations

from decimal import Context, Decimal
from functools import cache
from typing import Any

import numpy as np

from .double_double import (
    Pair,
    bounds,
    fast_two_sum,
    leading_bits,
    scaled,
    two_product,
    two_sum,
)
from .exponentials import ERROR as EXPONENTIAL_ERROR
from .exponentials import exponential_parts

ERROR = 2.0**-69.5
"""The relative error of `log_parts`, twice the bound above."""
_D = Context(prec=60)
_LN2 = _D.ln(Decimal(2))
_LN2_HI = int(_LN2 * 2**41) / 2.0**41
_LN2_LO = float(_LN2 - Decimal(_LN2_HI))
_FIRST = np.float64(0.70703125).view(np.int64)
_OFFSET = _FIRST - np.int64(1 << 42)


@cache
def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """1 / c, and log c in two parts, for the 512 numbers c from 0.707 on."""
    centers = (_FIRST + (np.arange(512) << 43)).view(np.float64)
    inverses = leading_bits(1 / centers)
    logarithms = [-_D.ln(Decimal(inverse)) for inverse in inverses.tolist()]
    hi = [int(logarithm * 2**41) / 2.0**41 for logarithm in logarithms]
    lo = [float(logarithm - Decimal(first)) for logarithm, first in zip(logarithms, hi, strict=True)]
    return inverses, np.array(hi), np.array(lo)


def log_parts(x: Any, x_lo: Any = None) -> Pair:
    """log(x + x_lo), of positive normal numbers and less than a last bit."""
    bits = x.view(np.int64)
    steps = bits - _OFFSET
    e = (steps >> np.int64(52)).astype(np.float64)
    entry = (steps >> np.int64(43)) & np.int64(511)
    exponent = steps & np.int64(-1 << 52)
    m = (bits - exponent).view(np.float64)
    inverses, logarithms_hi, logarithms_lo = _tables()
    inverse = inverses.take(entry)
    m_hi = leading_bits(m)
    first, second = m_hi * inverse - 1.0, (m - m_hi) * inverse
    if x_lo is not None:
        first, second = two_sum(first, second)
        second = second + x_lo * np.maximum(np.int64(1023 << 52) - exponent, np.int64(0)).view(np.float64) * inverse
    r, r_lo = fast_two_sum(first, second)
    r_hi = leading_bits(r)
    square = r_hi * r_hi * -0.5
    cross = (r + r_hi) * ((r - r_hi) + r_lo) * -0.5
    series = r * r * r * (1 / 3 - r * (1 / 4 - r * (1 / 5 - r * (1 / 6 - r * (1 / 7)))))
    hi, rest = fast_two_sum(e * _LN2_HI + logarithms_hi.take(entry), r)
    hi, more = fast_two_sum(hi, square)
    lo = (e * _LN2_LO + logarithms_lo.take(entry)) + (series + cross + r_lo)
    return fast_two_sum(hi, lo + (rest + more))


def _normal(x: Any) -> Any:
    """Return x itself if all are positive normal numbers, otherwise with 1 in place of the others."""
    if not x.size or (x.min() >= 2.0**-1022 and x.max() < np.inf):
        return x
    return np.where((x >= 2.0**-1022) & (x < np.inf), x, 1.0)


def _with_specials(x: Any, bounds_of_normal: Pair) -> Pair:
    """Return the bounds for normal numbers, with the logarithms of all others. Subnormal numbers stay undecided."""
    low, high = bounds_of_normal
    special = np.where(x < 0, np.nan, np.where(x == 0, -np.inf, x))
    is_special, is_subnormal = ~((x > 0) & (x < np.inf)), (x > 0) & (x < 2.0**-1022)
    low = np.where(is_subnormal, -np.inf, np.where(is_special, special, low))
    return low, np.where(is_special, special, np.where(is_subnormal, 0.0, high))


def log(x: Any, x_lo: Any = None) -> Pair:
    """Return bounds of log(x + x_lo), where x_lo is less than a last bit."""
    normal = _normal(x)
    if x_lo is not None and normal is not x:
        x_lo = np.where(normal == x, x_lo, 0.0)
    hi, lo = log_parts(normal, x_lo)
    found = bounds(hi, lo, np.abs(hi) * ERROR)
    return found if normal is x else _with_specials(x, found)


def log_plus_one(x: Any) -> Pair:
    """Return bounds of log(1 + x)."""
    return log(*two_sum(1.0, x))


def power(x: Any, y: Any) -> Pair:
    """Return bounds of x^y = e^(y log |x|), times the sign.

    The error of the logarithm is at most 2^-79, too; y times that is the error of the exponent, to which the product
    adds 2^-102 of it. From 2^64 on, y log |x| is beyond all exponents of doubles, as |log x| is at least 2^-53 or 0.
    """
    size = np.abs(x)
    is_special = ~((size > 0) & (size < np.inf) & np.isfinite(y))
    is_normal = ~is_special & (size >= 2.0**-1022)
    log_hi, log_lo = log_parts(np.where(is_normal, size, 1.0))
    factor = np.clip(np.where(is_special, 0.0, y), -(2.0**65), 2.0**65)
    product, rest = two_product(factor, log_hi)
    product, rest = fast_two_sum(product, rest + factor * log_lo)
    hi, lo, exponent = exponential_parts(product, np.where(np.abs(product) < 800, rest, 0.0))
    relative = np.minimum(np.abs(product) * ERROR, np.abs(factor) * 2.0**-79)
    low, high = scaled(*bounds(hi, lo, EXPONENTIAL_ERROR + 2.5 * np.minimum(relative, 1.0)), exponent)
    low = np.where(is_special, np.power(size, np.where(is_special, y, 1.0)), low)
    high = np.where(is_special, low, np.where(is_normal | (y == 0), high, np.inf))
    low = np.where(is_special | is_normal | (y == 0), low, 0.0)
    if not np.signbit(x).any():
        return low, high
    is_odd = np.abs(np.fmod(y, 2.0)) == 1
    is_undefined = (x < 0) & (y != np.rint(y)) & ((x > -np.inf) | (y != y))
    sign = np.where(is_undefined, np.nan, np.where(is_odd, np.copysign(1.0, x), 1.0))
    return low * sign, high * sign
