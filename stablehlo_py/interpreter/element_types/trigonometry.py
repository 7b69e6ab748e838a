"""Trigonometric functions in more than double precision: sine, cosine, tan, atan2.

x = n 2π / 4096 + r, with |r| <= π / 4096 < 2^-10.3. sin x = S cos r + C sin r, with S and C from a table of the sines
of a turn's 4096 parts: 26 bits, and a rest.

Errors: up to 2^20, r is x less n times 2π / 4096, in three parts. Two parts have 22 bits: both differences are exact.
The third product is rounded, with an error of at most |n| 2^-106. Beyond, r comes from integers, with an error of
2^-112. cos r - 1 < 2^-21.6 ends before r^6 / 720 < 2^-71.3 and is rounded three times: 2^-70.6. sin r - r is less than
2^-33.4, and ends before r^7 / 5040. The product of the first 26 bits of r and C is exact. The remaining terms are at
most 2^-21.5 of S and are rounded four times: 2^-72.4. Together less than 2^-70.2 of S, which is at most twice the sum;
where S is 0, 2^-73 of r.
"""

from __future__ import annotations

from decimal import Context, Decimal
from functools import cache
from typing import Any

import numpy as np

from .double_double import (
    Doubled,
    Pair,
    add,
    bounds,
    divide,
    fast_two_sum,
    leading_bits,
    multiply,
    quotient,
    split_table,
    two_sum,
)
from .exact import arctangent, pi, sine_and_cosine

ERROR = 2.0**-69
_PARTS = 4096
_D = Context(prec=60)
_STEP = _D.divide(_D.multiply(pi(), Decimal(2)), Decimal(_PARTS))
_STEPS = float(1 / _STEP)
_STEP_1 = int(_STEP * 2**31) / 2.0**31
_STEP_2 = int((_STEP - Decimal(_STEP_1)) * 2**53) / 2.0**53
_STEP_3 = float(_STEP - Decimal(_STEP_1) - Decimal(_STEP_2))
_STEP_HI = float(_STEP)
_STEP_LO = float(_STEP - Decimal(_STEP_HI))
_LARGE = 2.0**20


@cache
def _sines() -> tuple[np.ndarray, np.ndarray]:
    """The sines of a turn's parts."""
    sine, cosine = sine_and_cosine(_STEP)
    points = [(Decimal(0), Decimal(1))]
    for _ in range(_PARTS // 8):
        y, x = points[-1]
        points.append((_D.fma(y, cosine, _D.multiply(x, sine)), _D.fma(x, cosine, -_D.multiply(y, sine))))
    quarter = [y for y, _ in points] + [x for _, x in points[-2::-1]]
    half = quarter + quarter[-2:0:-1]
    return split_table(half + [-value for value in half])


@cache
def _parts_of_turn() -> int:
    """4096 / 2π, times 2^1300."""
    return int(Context(prec=420).divide(Decimal(_PARTS // 2 << 1300), pi()))


def _reduced_large(x: float) -> tuple[int, float, float]:
    """n modulo 4096 and r as the sum of two doubles, from integers (Payne and Hanek)."""
    mantissa, exponent = int(np.ldexp(np.frexp(x)[0], 53)), int(np.frexp(x)[1]) - 53
    product = mantissa * _parts_of_turn() << max(exponent, 0) >> max(-exponent, 0)
    n = (product + (1 << 1299)) >> 1300
    fraction = product - (n << 1300)
    r = _D.multiply(_D.divide(Decimal(fraction), Decimal(1 << 1300)), _STEP)
    return n % _PARTS, float(r), float(r - Decimal(float(r)))


def _reduced(x: Any) -> tuple[Any, Any, Any, Any]:
    """n modulo 4096, r as the difference of two doubles, and its error."""
    large = np.flatnonzero(np.abs(x) > _LARGE)
    n = np.rint(x * _STEPS)
    n[large] = 0
    first = (x - n * _STEP_1) - n * _STEP_2
    second, error = n * _STEP_3, np.abs(n) * 2.0**-106
    index = n.astype(np.int64)
    for at in large[np.isfinite(x[large])].tolist():
        index[at], first[at], rest = _reduced_large(float(x[at]))
        second[at], error[at] = -rest, 2.0**-112
    return index, first, second, error


def _rotated(s: Pair, c: Pair, r: Pair, sine: Any, cosine: Any) -> Pair:
    """S cos r + C sin r, where sine is sin r - r, cosine is cos r - 1 and r's first part has 26 bits."""
    rest = r[1] + sine
    lo = (s[0] + s[1]) * cosine + (c[0] * rest + (s[1] + c[1] * (r[0] + rest)))
    hi, more = fast_two_sum(s[0], c[0] * r[0])
    return fast_two_sum(hi, lo + more)


def parts(x: Any, which: str) -> tuple[list[Pair], Any]:
    """Return the sine or the cosine of x or both, and the error of the reduction."""
    index, first, second, error = _reduced(x)
    return _of_reduced(index, first, second, which), error


def roots_of_unity(numerators: Any, order: int) -> tuple[Doubled, Doubled]:
    """Return the cosines and sines of 2π k / order. Their first doubles are the nearest, except in one of 2^15.

    4096 k / order = n + rest / order, and r is rest / order times 2π / 4096, with a relative error of 2^-100.
    """
    index = (numerators * np.int64(_PARTS) + np.int64(order // 2)) // np.int64(order)
    rest = numerators * np.int64(_PARTS) - index * np.int64(order)
    part = divide((rest.astype(np.float64), 0.0), (np.full(rest.shape, float(order)), 0.0))
    step = np.full(rest.shape, _STEP_HI), _STEP_LO
    hi, lo = multiply(part, step)
    sine, cosine = _of_reduced(index, hi, -lo, "both")
    return Doubled(*cosine), Doubled(*sine)


def _of_reduced(index: Any, first: Any, second: Any, which: str) -> list[Pair]:
    r = first - second
    r_hi = leading_bits(r)
    r_lo = (first - r_hi) - second
    square = r * r
    sine = square * r * (-1 / 6 + square * (1 / 120))
    cosine = square * (-1 / 2 + square * (1 / 24))
    (hi_table, lo_table), last, quarter = _sines(), np.int64(_PARTS - 1), np.int64(_PARTS // 4)
    entries = [index & last, (index + quarter) & last]
    s, c = [(hi_table.take(entry), lo_table.take(entry)) for entry in entries]
    found = [_rotated(s, c, (r_hi, r_lo), sine, cosine)] if which != "cosine" else []
    return [*found, _rotated(c, (-s[0], -s[1]), (r_hi, r_lo), sine, cosine)] if which != "sine" else found


def sine(x: Any) -> Pair:
    """Return bounds of sin x."""
    [(hi, lo)], error = parts(x, "sine")
    return bounds(hi, lo, np.abs(hi) * ERROR + error)


def cosine(x: Any) -> Pair:
    """Return bounds of cos x."""
    [(hi, lo)], error = parts(x, "cosine")
    return bounds(hi, lo, np.abs(hi) * ERROR + error)


def tan(x: Any) -> Pair:
    """Return bounds of tan x = sin x / cos x. The reduction's error counts in the one that is close to 0."""
    [dividend, divisor], error = parts(x, "both")
    hi, lo = quotient(dividend, divisor)
    size = np.abs(hi)
    return bounds(hi, lo, size * (2.1 * ERROR) + error * (2.1 + size * size * 2.1))


# The angle of a point


@cache
def _angles() -> tuple[np.ndarray, np.ndarray]:
    """The arctangents of 0 to 256 parts of 256."""
    return split_table([arctangent(Decimal(j) / 256) for j in range(257)])


_PI_HI = float(pi())
_PI_LO = float(pi() - Decimal(_PI_HI))


def angle_parts(y: Any, x: Any) -> tuple[Any, Any, Any]:
    """Return hi, lo and the error: the angle of the point (x, y) is hi + lo, for y from 0 on.

    With t = min(|x|, |y|) / max(|x|, |y|) next to c = j / 256: arctan t = arctan c + arctan u, where u = (t - c) /
    (1 + c t) and |u| < 2^-8.9. Twelve bits of c leave the products of c exact in two parts; u has a relative error of
    2^-100 beside the rounding of its dividend, 2^-105 of c. arctan u - u is rounded four times at 2^-28.
    """
    long, short = np.maximum(np.abs(x), np.abs(y)), np.minimum(np.abs(x), np.abs(y))
    is_special = ~((long > 0) & (long < np.inf))
    long, short = np.where(is_special, 1.0, long), np.where(is_special, 1.0, short)
    shift = -np.frexp(long)[1]
    long, short = np.ldexp(long, shift), np.ldexp(short, shift)
    index = np.rint(short / long * 256)
    c = index / 256
    long_hi, short_hi = leading_bits(long), leading_bits(short)
    long_lo, short_lo = long - long_hi, short - short_hi
    first, rest = two_sum(short_hi - c * long_hi, short_lo - c * long_lo)
    u_hi, u_lo = divide((first, rest), add((long, 0.0), (c * short_hi, c * short_lo)))
    square = u_hi * u_hi
    series = u_hi * square * (-1 / 3 + square * (1 / 5 - square * (1 / 7 - square * (1 / 9))))
    angles_hi, angles_lo = _angles()
    entry = index.astype(np.int64)
    angle = add((angles_hi.take(entry), angles_lo.take(entry)), (u_hi, u_lo + series))
    error = np.abs(u_hi) * 2.0**-70 + c * 2.0**-100
    steep, left = y > np.abs(x), np.signbit(x)
    angle = tuple(np.where(steep ^ left, -part, part) for part in angle)
    turn = np.where(steep, 0.5, np.where(left, 1.0, 0.0))
    hi, lo = add((turn * _PI_HI, turn * _PI_LO), (angle[0], angle[1]))
    return hi, lo, error + hi * 2.0**-100


def atan2(y: Any, x: Any) -> Pair:
    """Return bounds of the angle of the point (x, y). Beside an infinite part, a finite one is 0."""
    size, is_nan = np.abs(y), (x != x) | (y != y)
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        is_unbounded = np.isinf(x) | np.isinf(y)
        x = np.where(is_unbounded, np.copysign(np.isinf(x).astype(float), x), x)
        size = np.where(is_unbounded, np.isinf(y), size)
    x = np.where((x == 0) & (size == 0), np.copysign(1.0, x), x)
    low, high = bounds(*angle_parts(size, x))
    is_small = (size <= x * 2.0**-55) & (size > 0)
    quotient = size / np.abs(x)  # less a part of 2^-110, which no quotient of doubles is next to a midpoint by
    low = np.where(is_small, np.where(quotient < 2.0**-1021, 0.0, quotient), low)
    high = np.where(is_small, quotient, high)
    return np.where(is_nan, np.nan, np.copysign(low, y)), np.where(is_nan, np.nan, np.copysign(high, y))
