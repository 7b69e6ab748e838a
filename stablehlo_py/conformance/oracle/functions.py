"""Functions of real numbers in decimal arithmetic of 60 digits and more, far beyond any float type's last bit.

`exp` and `ln` are Python's `decimal`, which rounds them correctly; the others are series after exact reductions.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

_DIGITS = 60
# The largest doubles have 309 digits in front of the point, and a multiple of pi is taken from them.
_CONTEXT = Context(prec=_DIGITS + 340, Emax=MAX_EMAX, Emin=MIN_EMIN)
_LARGE, _SMALL = Decimal(800), Decimal(10) ** -25  # beyond: exp leaves every type; below: two terms of a series do
_ONE = Decimal(1)


def _arctangent_of_inverse(number: int) -> Decimal:
    """arctan(1 / number) by its series."""
    power, total, index = _ONE / number, Decimal(0), 0
    while power > Decimal(10) ** -(_CONTEXT.prec + 5):
        total += (-1) ** index * power / (2 * index + 1)
        power /= number * number
        index += 1
    return total


@cache
def pi() -> Decimal:
    """Machin's formula."""
    with localcontext(_CONTEXT):
        return 4 * (4 * _arctangent_of_inverse(5) - _arctangent_of_inverse(239))


def decimal(number: float | Fraction) -> Decimal:
    """A double or a fraction as a decimal number: doubles exactly."""
    if isinstance(number, Fraction):
        return Decimal(number.numerator) / Decimal(number.denominator)
    return Decimal(number)


def _sine_series(x: Decimal) -> Decimal:
    term, total, index = x, x, 1
    while term and abs(term) > abs(total) * Decimal(10) ** -(_DIGITS + 5):
        term = -term * x * x / ((index + 1) * (index + 2))
        total += term
        index += 2
    return total


def _turn(x: Decimal) -> tuple[Decimal, int]:
    """x less the nearest multiple of pi / 2, and which multiple that is, modulo 4."""
    with localcontext(_CONTEXT):
        quarter = pi() / 2
        count = (x / quarter).to_integral_value()
        return x - count * quarter, int(count) % 4


def sine(x: Decimal) -> Decimal:
    """sin x."""
    rest, quarter = _turn(x)
    value = _cosine_of_small(+rest) if quarter % 2 else _sine_series(+rest)
    return -value if quarter in (2, 3) else value


def cosine(x: Decimal) -> Decimal:
    """cos x."""
    rest, quarter = _turn(x)
    value = _sine_series(+rest) if quarter % 2 else _cosine_of_small(+rest)
    return -value if quarter in (1, 2) else value


def _cosine_of_small(x: Decimal) -> Decimal:
    half = _sine_series(x / 2)
    return 1 - 2 * half * half


def tangent(x: Decimal) -> Decimal:
    """tan x."""
    return sine(x) / cosine(x)


def exponential(x: Decimal) -> Decimal:
    """e^x; far beyond the range of all types a number that is as far beyond."""
    return max(min(x, 4 * _LARGE), -4 * _LARGE).exp()


def exponential_minus_one(x: Decimal) -> Decimal:
    """e^x - 1 without cancellation."""
    return x + x * x / 2 if abs(x) < _SMALL else exponential(x) - 1


def logarithm(x: Decimal) -> Decimal:
    """ln x for x > 0."""
    return x.ln()


def log_plus_one(x: Decimal) -> Decimal:
    """ln(1 + x) for x > -1."""
    if abs(x) < _SMALL:
        return x - x * x / 2
    with localcontext(_CONTEXT):
        return +(1 + x).ln(MORE)


MORE = Context(prec=_DIGITS + 30, Emax=MAX_EMAX, Emin=MIN_EMIN)


def hyperbolic_sine(x: Decimal) -> Decimal:
    """sinh x."""
    if abs(x) < _SMALL:
        return x + x * x * x / 6
    return (exponential(x) - exponential(-x)) / 2


def hyperbolic_cosine(x: Decimal) -> Decimal:
    """cosh x."""
    return (exponential(x) + exponential(-x)) / 2


def hyperbolic_tangent(x: Decimal) -> Decimal:
    """tanh x."""
    return hyperbolic_sine(x) / hyperbolic_cosine(x)


def logistic(x: Decimal) -> Decimal:
    """1 / (1 + e^-x)."""
    return _ONE / (1 + exponential(-x))


def square_root(x: Decimal) -> Decimal:
    """The square root of x >= 0, rounded by `decimal`."""
    return x.sqrt()


def reciprocal_square_root(x: Decimal) -> Decimal:
    """1 / sqrt x for x > 0."""
    return _ONE / x.sqrt()


def cube_root(x: Decimal) -> Decimal:
    """The real cube root."""
    if not x:
        return x
    return (abs(x).ln() / 3).exp().copy_sign(x)


def arctangent(y: Decimal, x: Decimal) -> Decimal:
    """The angle of the point (x, y), which is not the origin."""
    if abs(y) > abs(x):
        return (pi() / 2).copy_sign(y) - _arctangent_up_to_one(x / y)
    angle = _arctangent_up_to_one(y / x)
    return angle if x > 0 else angle + pi().copy_sign(y)


def _arctangent_up_to_one(t: Decimal) -> Decimal:
    for _ in range(4):  # arctan t = 2 arctan(t / (1 + sqrt(1 + t^2)))
        t = t / (1 + (1 + t * t).sqrt())
    power, total, index = t, t, 1
    while power and abs(power) > abs(total) * Decimal(10) ** -(_DIGITS + 2):
        power = -power * t * t
        index += 2
        total += power / index
    return 16 * total


def power(x: Decimal, y: Decimal) -> Decimal:
    """x^y for x > 0."""
    return exponential(y * x.ln())


def evaluate(function: Callable[..., Decimal], *arguments: float) -> Fraction:
    """A function of finite doubles as a fraction with more digits than any type has."""
    with localcontext(MORE):
        value = function(*map(decimal, arguments))
    if value.adjusted() < -400:  # below every type: any number that small will do
        return Fraction(1 if value > 0 else -1, 10**400)
    if value.adjusted() > 400:
        return Fraction((1 if value > 0 else -1) * 10**400)
    return Fraction(value)
