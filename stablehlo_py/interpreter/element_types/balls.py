"""Intervals of real numbers with a double-double in the middle and a radius, which carry their errors along.

Functions of complex numbers are formulas of these: whatever a formula cancels or leaves out counts in the radius, so
that no formula needs a bound of its own (midpoint-radius interval arithmetic). Where the radius is infinite or NaN, as
after an overflow, nothing is known. Products of less than 2^-960 are off by less than `_UNDERFLOW`. A ball around zero
without a radius is the number zero, which its products and quotients are, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import double_double as dd
from . import exponentials, logarithms, trigonometry

_UNDERFLOW = 2.0**-1050
_PART = 2.0**-99
"""The relative error of an operation on double-doubles, with a factor of ten to spare."""


@dataclass(frozen=True)
class Ball:
    """The numbers from hi + lo - radius to hi + lo + radius."""

    hi: Any
    lo: Any = 0.0
    radius: Any = 0.0

    @property
    def is_zero(self) -> Any:
        """Whether this is the number zero, and not a number next to it."""
        return (self.hi == 0) & (self.radius == 0)

    def __add__(self, other: Ball) -> Ball:
        pair = dd.add((self.hi, self.lo), (other.hi, other.lo))
        is_opposite = (self.hi == -other.hi) & (self.lo == -other.lo)
        lost = np.where(is_opposite, 0.0, (np.abs(self.hi) + np.abs(other.hi)) * _PART)
        return Ball(*pair, self.radius + other.radius + lost)

    def __neg__(self) -> Ball:
        return Ball(-self.hi, -self.lo, self.radius)

    def __sub__(self, other: Ball) -> Ball:
        return self + -other

    def __mul__(self, other: Ball) -> Ball:
        pair = dd.multiply((self.hi, self.lo), (other.hi, other.lo))
        a, b = np.abs(self.hi), np.abs(other.hi)
        radius = 1.001 * (a * other.radius + b * self.radius + self.radius * other.radius)
        lost = np.abs(pair[0]) * _PART + _UNDERFLOW
        return Ball(*pair, np.where(self.is_zero | other.is_zero, 0.0, radius + lost))

    def __truediv__(self, other: Ball) -> Ball:
        pair = dd.fast_two_sum(*dd.divide((self.hi, self.lo), (other.hi, other.lo)))
        size, least = np.abs(pair[0]), np.abs(other.hi) * 0.999 - other.radius
        radius = 1.001 * (self.radius + size * other.radius + _UNDERFLOW) / np.where(least > 0, least, np.nan)
        return Ball(*pair, np.where(self.is_zero, 0.0, radius + size * _PART))

    def half(self) -> Ball:
        return Ball(self.hi * 0.5, self.lo * 0.5, self.radius * 0.5)

    def where(self, condition: Any, other: Ball) -> Ball:
        """Return this one where the condition holds, the other one elsewhere."""
        parts = zip((self.hi, self.lo, self.radius), (other.hi, other.lo, other.radius), strict=True)
        return Ball(*[np.where(condition, own, others) for own, others in parts])

    def unless(self, condition: Any) -> Ball:
        """Nothing is known where the condition holds."""
        return Ball(self.hi, self.lo, np.where(condition, np.inf, self.radius))


def square_root(a: Ball) -> Ball:
    """Return the square root of numbers from 0 on."""
    pair = dd.fast_two_sum(*dd.square_root((a.hi, a.lo)))
    return Ball(*pair, 1.001 * a.radius / pair[0] + pair[0] * _PART)


def minus_one(x: Any) -> Ball:
    """e^x - 1, for |x| up to 300."""
    hi, lo, error = exponentials.minus_one_parts(np.clip(x, -300.0, 300.0))
    return Ball(*dd.fast_two_sum(hi, lo), error).unless(np.abs(x) > 300)


def exponential(x: Ball) -> Ball:
    """e^x, for |x| up to 300."""
    is_large = ~(np.abs(x.hi) <= 300)
    hi, lo, exponent = exponentials.exponential_parts(np.where(is_large, 0.0, x.hi), np.where(is_large, 0.0, x.lo))
    factor = dd.power_of_two(exponent)
    hi, lo = dd.fast_two_sum(hi * factor, lo * factor)
    return Ball(hi, lo, factor * exponentials.ERROR + 2 * hi * np.minimum(x.radius, 1.0)).unless(
        is_large | (x.radius > 0.5)
    )


def hyperbolic(x: Any) -> tuple[Ball, Ball]:
    """sinh x = (m + m / (m + 1)) / 2 and cosh x = 1 + m² / (m + 1) / 2, where m = e^|x| - 1."""
    m, one = minus_one(np.abs(x)), Ball(np.ones_like(x))
    quotient = m / (m + one)
    sinh, cosh = (m + quotient).half(), one + (m * quotient).half()
    sign = np.copysign(1.0, x)
    return Ball(sinh.hi * sign, sinh.lo * sign, sinh.radius), cosh


def sine_and_cosine(x: Ball) -> tuple[Ball, Ball]:
    """sin(h + l) = sin h + l cos h, and cos(h + l) = cos h - l sin h. The radius has the error, l²."""
    (sine, cosine), error = trigonometry.parts(x.hi, "both")
    radius = error + x.radius + x.lo * x.lo
    sine, cosine = [Ball(*pair, np.abs(pair[0]) * trigonometry.ERROR + radius) for pair in (sine, cosine)]
    rest = Ball(np.broadcast_to(x.lo, x.hi.shape))
    return sine + rest * cosine, cosine - rest * sine


def logarithm(x: Ball) -> Ball:
    """log x, for x between 2^-960 and 2^960."""
    is_far = ~((x.hi > 2.0**-960) & (x.hi < 2.0**960))
    pair = logarithms.log_parts(np.where(is_far, 1.0, x.hi), np.where(is_far, 0.0, x.lo))
    return Ball(*pair, np.abs(pair[0]) * logarithms.ERROR + 2 * x.radius / x.hi).unless(is_far | (x.radius > x.hi / 4))


def angle(y: Any, x: Any, x_lo: Any = 0.0) -> Ball:
    """Return the angle of the point (x + x_lo, y): the angle of (x, y), less x_lo y / (x² + y²)."""
    hi, lo, error = trigonometry.angle_parts(np.abs(y), x)
    sign, size = np.copysign(1.0, y), np.hypot(x, y)
    correction = -(x_lo / size) * (y / size)
    ball = Ball(hi * sign, lo * sign, error) + Ball(correction, 0.0, np.abs(correction) * 2.0**-50)
    return ball.unless(~((size > 2.0**-500) & (size < 2.0**500) & ((np.abs(y) > 2.0**-500) | (y == 0))))


def product(x: Any, y: Any) -> Ball:
    """x y, of doubles."""
    hi, lo = dd.two_product(x, y)
    is_exact = (np.abs(hi) > 2.0**-960) | (x == 0) | (y == 0)
    return Ball(hi, lo, np.where(is_exact, 0.0, _UNDERFLOW))


def squares(x: Any, y: Any) -> Ball:
    """x² + y²."""
    return product(x, x) + product(y, y)
