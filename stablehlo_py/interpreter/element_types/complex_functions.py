"""Functions of complex numbers, each part as a ball around it, from the real functions of their parts.

No formula holds at infinity, and some lose the sign of a zero: `complex_numbers` has these, by the C standard's Annex
G.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .balls import (
    Ball,
    angle,
    exponential,
    hyperbolic,
    logarithm,
    minus_one,
    product,
    sine_and_cosine,
    square_root,
    squares,
)
from .double_double import fast_two_sum, two_sum

Parts = tuple[Ball, Ball]


def _exponential(x: Ball, y: Ball) -> Parts:
    """e^x cos y + i e^x sin y."""
    size, (sine, cosine) = exponential(x), sine_and_cosine(y)
    return size * cosine, size * sine


def _exponential_minus_one(x: Any, y: Any) -> Parts:
    """(e^x - 1) cos y - 2 sin²(y / 2) + i e^x sin y."""
    sine, cosine = sine_and_cosine(Ball(y))
    half, _ = sine_and_cosine(Ball(y * 0.5))
    return minus_one(x) * cosine - (half + half) * half, exponential(Ball(x)) * sine


def _logistic(x: Any, y: Any) -> Parts:
    """1 / (1 + e^-z), the quotient's denominator times its conjugate."""
    real, imag = _exponential(Ball(-x), Ball(-y))
    real = real + Ball(np.ones_like(x))
    size = real * real + imag * imag
    return real / size, -imag / size


def _sine(x: Any, y: Any) -> Parts:
    (sine, cosine), (sinh, cosh) = sine_and_cosine(Ball(x)), hyperbolic(y)
    return sine * cosh, cosine * sinh


def _cosine(x: Any, y: Any) -> Parts:
    (sine, cosine), (sinh, cosh) = sine_and_cosine(Ball(x)), hyperbolic(y)
    return cosine * cosh, -sine * sinh


def _tan(x: Any, y: Any) -> Parts:
    """(sin x cos x + i sinh y cosh y) / (cos² x + sinh² y)."""
    (sine, cosine), (sinh, cosh) = sine_and_cosine(Ball(x)), hyperbolic(y)
    size = cosine * cosine + sinh * sinh
    return sine * cosine / size, sinh * cosh / size


def _tanh(x: Any, y: Any) -> Parts:
    imag, real = _tan(y, x)
    return real, imag


def _logarithm(x: Any, y: Any) -> Parts:
    return logarithm(squares(x, y)).half(), angle(y, x)


def _log_plus_one(x: Any, y: Any) -> Parts:
    """log(1 + (2x + x² + y²)) / 2 + i times the angle of 1 + z."""
    more = Ball(2 * x) + squares(x, y)
    total, rest = two_sum(1.0, more.hi)
    one_more, x_lo = two_sum(1.0, x)
    rest = rest + more.lo
    lost = np.abs(rest) * 2.0**-52
    return logarithm(Ball(*fast_two_sum(total, rest), more.radius + lost)).half(), angle(y, one_more, x_lo)


def _square_root(x: Any, y: Any) -> Parts:
    """The root's larger part is sqrt((|z| + |x|) / 2), the other one |y| / 2 divided by it."""
    size = square_root(squares(x, y))
    large = square_root((size + Ball(np.abs(x))).half())
    small = Ball(np.abs(y)) / (large + large)
    swap, sign = x < 0, np.copysign(1.0, y)
    real, imag = large.where(~swap, small), small.where(~swap, large)
    return real, Ball(imag.hi * sign, imag.lo * sign, imag.radius)


def _rsqrt(x: Any, y: Any) -> Parts:
    """Return the root's conjugate, divided by |z|."""
    (real, imag), size = _square_root(x, y), square_root(squares(x, y))
    return real / size, -imag / size


def _divide(a: Any, b: Any, c: Any, d: Any) -> Parts:
    """Return the product with the divisor's conjugate, over the square of the divisor's size."""
    size = squares(c, d)
    return (product(a, c) + product(b, d)) / size, (product(b, c) - product(a, d)) / size


def _sign(x: Any, y: Any) -> Parts:
    size = square_root(squares(x, y))
    return Ball(x) / size, Ball(y) / size


def _cbrt(x: Any, y: Any) -> Parts:
    """e^(log z / 3)."""
    third = Ball(np.ones_like(x)) / Ball(np.full_like(x, 3.0))
    real, imag = _logarithm(x, y)
    return _exponential(real * third, imag * third)


def _power(x: Any, y: Any, u: Any, v: Any) -> Parts:
    """e^((u + i v) log z)."""
    real, imag = _logarithm(x, y)
    return _exponential(Ball(u) * real - Ball(v) * imag, Ball(u) * imag + Ball(v) * real)


FUNCTIONS: dict[str, Callable[..., tuple[Ball, ...]]] = {
    "abs": lambda x, y: (square_root(squares(x, y)),),
    "cbrt": _cbrt,
    "cosine": _cosine,
    "divide": _divide,
    "exponential": lambda x, y: _exponential(Ball(x), Ball(y)),
    "exponential_minus_one": _exponential_minus_one,
    "log": _logarithm,
    "log_plus_one": _log_plus_one,
    "logistic": _logistic,
    "power": _power,
    "rsqrt": _rsqrt,
    "sign": _sign,
    "sine": _sine,
    "sqrt": _square_root,
    "tan": _tan,
    "tanh": _tanh,
}


# Parts in single precision: their products are exact in double precision, every error is relative to these, and sums
# that are zero are exact.

_ERROR = 2.0**-50


def _quick_divide(a: Any, b: Any, c: Any, d: Any) -> Parts:
    size = c * c + d * d

    def quotient(x: Any, y: Any) -> Ball:
        return Ball((x + y) / size, 0.0, np.where(x == -y, 0.0, (np.abs(x) + np.abs(y)) / size * _ERROR))

    return quotient(a * c, b * d), quotient(b * c, -a * d)


def _quick_sign(x: Any, y: Any) -> Parts:
    size = np.sqrt(x * x + y * y)
    return Ball(x / size, 0.0, np.abs(x / size) * _ERROR), Ball(y / size, 0.0, np.abs(y / size) * _ERROR)


def _quick_abs(x: Any, y: Any) -> tuple[Ball]:
    size = np.sqrt(x * x + y * y)
    return (Ball(size, 0.0, size * _ERROR),)


OF_SINGLES: dict[str, Callable[..., tuple[Ball, ...]]] = {
    **FUNCTIONS,
    "abs": _quick_abs,
    "divide": _quick_divide,
    "sign": _quick_sign,
}
