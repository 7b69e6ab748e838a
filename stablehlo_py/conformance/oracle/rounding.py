"""Numbers without rounding, and the one rounding at the end.

Elements of every float type are doubles of Python, exactly. An exact result is a `Fraction`; zeros with a sign,
infinities and NaN are doubles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import ml_dtypes
import numpy as np

from ..generate.values import FINITE_ONLY, dtype_of, wide

Number = Fraction | float


@dataclass(frozen=True)
class Format:
    """A float type: bits of the significand with the hidden one, the exponents of the smallest normal number and of
    the largest, the largest finite number, and what else it has."""

    digits: int
    least: int
    largest: Fraction
    overflow: float | None  # what is beyond the largest number; None for the largest number itself
    has_negative_zero: bool


@cache
def format_of(name: str) -> Format:
    """The format of a float type, as its definition in the spec's section Types has it."""
    info = ml_dtypes.finfo(dtype_of(name))
    has_infinity = not name.endswith(("FN", "FNUZ"))
    overflow = None if name in FINITE_ONLY else (math.inf if has_infinity else math.nan)
    largest = Fraction(float(info.max))
    return Format(int(info.nmant) + 1, int(info.minexp), largest, overflow, not name.endswith("UZ"))


def exponent(number: Fraction) -> int:
    """Return the largest e with 2^e <= |number|."""
    size = abs(number)
    guess = size.numerator.bit_length() - size.denominator.bit_length()
    return guess if size >= Fraction(2) ** guess else guess - 1


def spacing(number: Fraction, name: str) -> Fraction:
    """Return the distance from a number to the next one of a float type."""
    described = format_of(name)
    least = described.least if not number else max(exponent(number), described.least)
    return Fraction(2) ** (least - described.digits + 1)


def rounded(number: Number, name: str) -> float:
    """Return the nearest value of a float type, ties to even: what IEEE-754 calls a correctly rounded result."""
    described = format_of(name)
    if isinstance(number, float) and not (math.isfinite(number) and number):
        return _special(described, number)
    exact = Fraction(number)
    quantum = spacing(exact, name)
    nearest = round(exact / quantum) * quantum  # Python rounds ties of fractions to even
    if abs(nearest) > described.largest:
        return _overflow(described, -1.0 if number < 0 else 1.0)
    if not nearest:
        return -0.0 if number < 0 and described.has_negative_zero else 0.0
    return float(nearest)


def _special(described: Format, number: float) -> float:
    """Return the numbers for zeros, infinities and NaN."""
    if math.isnan(number):
        return math.nan if described.overflow is not None else 0.0
    if math.isinf(number):
        return _overflow(described, number)
    return number if described.has_negative_zero else 0.0


def _overflow(described: Format, sign: float) -> float:
    """Return the number for infinity and for numbers beyond the largest."""
    limit = float(described.largest) if described.overflow is None else described.overflow
    return math.copysign(limit, sign)


def numbers(array: np.ndarray) -> list[float]:
    """Return the elements of floats as Python's doubles."""
    return [float(value) for value in wide(array.reshape(-1))]


def array_of(results: Iterable[Number], name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Exact results, each rounded once, as an array of a float type."""
    nearest = np.array([rounded(result, name) for result in results], np.float64)
    with np.errstate(all="ignore"):
        return nearest.astype(dtype_of(name)).reshape(shape)
