"""Double-double arithmetic: numbers as unevaluated sums hi + lo of two doubles, from error-free transformations.

Only IEEE-754's additions, subtractions, multiplications, divisions and square roots are used, and no fused one, so that
every processor and C library gives the same bits. u is 2^-53. `two_sum`, `fast_two_sum` and `two_product` are exact for
products from 2^-969 on (Knuth; Dekker 1971). Muller's Handbook of Floating-Point Arithmetic, 2nd edition, has the
proofs: algorithms 4.3, 4.4 and 4.10.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

Pair = tuple[Any, Any]
"""hi and lo."""
_HALF, _UPPER = np.int64(1 << 26), np.int64(-1 << 27)


def two_sum(a: Any, b: Any) -> Pair:
    """a + b."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def fast_two_sum(a: Any, b: Any) -> Pair:
    """a + b, where a is zero or not smaller than b, or a multiple of b's last bit."""
    s = a + b
    return s, b - (s - a)


def leading_bits(a: Any) -> Any:
    """Return the first 26 bits of a, toward zero: products of two such numbers are exact."""
    return (a.view(np.int64) & _UPPER).view(np.float64)


def two_product(a: Any, b: Any) -> Pair:
    """a b. Each factor is split into two numbers of 26 bits, by rounding its bits."""
    p = a * b
    a_hi = ((a.view(np.int64) + _HALF) & _UPPER).view(np.float64)
    b_hi = ((b.view(np.int64) + _HALF) & _UPPER).view(np.float64)
    a_lo, b_lo = a - a_hi, b - b_hi
    return p, ((a_hi * b_hi - p) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo


def multiply(a: Pair, b: Pair) -> Pair:
    """a b, with a relative error of at most 7 u² (Joldes, Muller and Popescu 2017, algorithm 11)."""
    p, e = two_product(a[0], b[0])
    return fast_two_sum(p, e + (a[0] * b[1] + a[1] * b[0]))


def add(a: Pair, b: Pair) -> Pair:
    """a + b, with an error of at most 2 u (|a_lo| + |b_lo|)."""
    s, e = two_sum(a[0], b[0])
    return fast_two_sum(s, e + (a[1] + b[1]))


def divide(a: Pair, b: Pair) -> Pair:
    """a / b, with a relative error of at most 10 u² (as above, algorithm 17), if |b_lo| is at most u |b_hi|."""
    q = a[0] / b[0]
    p, e = two_product(q, b[0])
    return q, (((a[0] - p) - e) + (a[1] - q * b[1])) / b[0]


def quotient(a: Pair, b: Pair) -> Pair:
    """a / b, with a relative error of at most 2^-75 beside that of a_lo, 2 u |a_lo|, if |b_lo| is at most u |b_hi|.

    q has 26 bits, so that its products with both halves of b_hi are exact. So is the first difference, of numbers that
    are within 2^-24 of each other. The other terms are at most 2^-24 of a and are rounded three times.
    """
    q, half = leading_bits(a[0] / b[0]), leading_bits(b[0])
    rest = ((a[0] - q * half) - q * (b[0] - half)) + (a[1] - q * b[1])
    return q, rest / b[0]


@dataclass(frozen=True)
class Doubled:
    """Double-doubles as numbers. `Ball` in `balls` carries the error too."""

    hi: Any
    lo: Any

    def __add__(self, other: Doubled) -> Doubled:
        return Doubled(*add((self.hi, self.lo), (other.hi, other.lo)))

    def __sub__(self, other: Doubled) -> Doubled:
        return Doubled(*add((self.hi, self.lo), (-other.hi, -other.lo)))

    def __mul__(self, other: Doubled) -> Doubled:
        return Doubled(*multiply((self.hi, self.lo), (other.hi, other.lo)))

    def __truediv__(self, other: int) -> Doubled:
        return Doubled(*fast_two_sum(*divide((self.hi, self.lo), (np.float64(other), 0.0))))

    def __neg__(self) -> Doubled:
        return Doubled(-self.hi, -self.lo)

    def __getitem__(self, index: Any) -> Doubled:
        return Doubled(self.hi[index], self.lo[index])

    def __len__(self) -> int:
        return len(self.hi)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.hi.shape


def square_root(a: Pair) -> Pair:
    """Return the square root of a, with a relative error of at most 4 u²: one step of Newton's iteration."""
    s = np.sqrt(a[0])
    p, e = two_product(s, s)
    return s, (((a[0] - p) - e) + a[1]) / (s + s)


def power_of_two(exponent: Any) -> Any:
    """2^exponent, of integers from -1022 to 1023."""
    return ((exponent + np.int64(1023)) << np.int64(52)).view(np.float64)


def bounds(hi: Any, lo: Any, error: Any) -> Pair:
    """The doubles nearest to hi + lo - error and hi + lo + error. They are the same if every number of that interval
    rounds to it (Ziv's test)."""
    return hi + (lo - error), hi + (lo + error)


def to_odd(hi: Any, lo: Any) -> Any:
    """Return hi + lo rounded to odd: of the two neighbours of an inexact sum, the one whose last bit is set.

    Rounded again, to a type of at most 51 bits of precision, it gives the sum rounded once.
    """
    total, rest = two_sum(hi, lo)
    bits = total.view(np.int64)
    step = np.where((rest > 0) == (total > 0), np.int64(1), np.int64(-1))
    return (bits + np.where((rest != 0) & (bits & 1 == 0), step, np.int64(0))).view(np.float64)


def scaled(low: Any, high: Any, exponent: Any) -> Pair:
    """Return bounds times 2^exponent, widened first if the product is subnormal, which rounds it twice."""
    if not exponent.size or (exponent.min() >= -1020 and exponent.max() <= 1020):
        factor = power_of_two(exponent)
        return low * factor, high * factor
    exponent = np.clip(exponent, -1100, 1100)
    half = exponent >> np.int64(1)
    first, second = power_of_two(half), power_of_two(exponent - half)
    low = np.where(exponent < -1020, np.nextafter(low, -np.inf), low)
    high = np.where(exponent < -1020, np.nextafter(high, np.inf), high)
    return low * first * second, high * first * second


def split_table(values: list[Decimal]) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers as sums of their first 26 bits and the double nearest to the rest."""
    hi = leading_bits(np.array([float(value) for value in values]))
    lo = [float(value - Decimal(first)) for value, first in zip(values, hi.tolist(), strict=True)]
    return hi, np.array(lo)
