"""Functions of complex numbers at zeros, poles, infinities and NaN, by the C standard's Annex G if it has them.

At other operands only zeros count, with their signs: finite factors may stand for others of their sign. No function of
the C library is used, as libraries differ where the annex leaves a sign open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .deciding import correctly_rounded

Parts = tuple[Any, Any]
_angle, _cosine, _log, _sine = map(correctly_rounded, ("atan2", "cosine", "log", "sine"))


def _times(a: Any, b: Any) -> Any:
    """Return a b, zero where a factor is, whatever the other one."""
    sign = np.where(a != a, 1.0, np.copysign(1.0, a)) * np.where(b != b, 1.0, np.copysign(1.0, b))
    return np.where((a == 0) | (b == 0), sign * 0.0, a * b)


def _growth(x: Any) -> Any:
    """Return 0, infinity or NaN where e^x is, and 1 elsewhere."""
    return np.where(np.isfinite(x), 1.0, np.maximum(x, 0.0))


def _turn(y: Any, x: Any) -> Parts:
    """Return cos y and sin y. Beside an infinite x, an unknown cosine is 1."""
    return np.where(np.isinf(x) & ~np.isfinite(y), 1.0, _cosine(y)), _sine(y)


def _exponential(x: Any, y: Any) -> Parts:
    cosine, sine = _turn(y, x)
    return _times(_growth(x), cosine), _times(_growth(x), sine)


def _exponential_minus_one(x: Any, y: Any) -> Parts:
    real, imag = _exponential(x, y)
    return np.where(x == 0, np.where(y == 0, x, -0.0), real - 1), imag


def _logistic(x: Any, y: Any) -> Parts:
    real, imag = _exponential(-x, -y)
    quotient_real, quotient_imag = quotient(1.0, 0.0, 1 + real, imag)
    return quotient_real, np.where(imag == 0, -imag, quotient_imag)


def _sin(x: Any, y: Any) -> Parts:
    """sin x cosh y + i cos x sinh y."""
    cosine, sine = _turn(x, y)
    return _times(sine, 1 + np.abs(y)), _times(cosine, np.where(np.isfinite(x), y, np.abs(y)))


def _cos(x: Any, y: Any) -> Parts:
    """cos x cosh y - i sin x sinh y."""
    cosine, sine = _turn(x, y)
    return _times(cosine, 1 + np.abs(y)), -_times(sine, y)


def _tanh(x: Any, y: Any) -> Parts:
    slope, is_known = _times(_sine(y), _cosine(y)), np.isfinite(y)
    real = np.select([np.isinf(x), is_known | (x == 0)], [np.copysign(1.0, x), x], np.nan)
    zero = np.copysign(0.0, np.where(y != y, 1.0, np.where(is_known, slope, y)))
    return real, np.select([np.isinf(x), (x == x) | (y == 0)], [zero, slope], np.nan)


def _tan(x: Any, y: Any) -> Parts:
    """-i tanh(iz)."""
    real, imag = _tanh(-y, x)
    return imag, -real


def _size(x: Any, y: Any) -> Any:
    """Return the larger part, infinite if one is."""
    return np.where(np.isinf(x) | np.isinf(y), np.inf, np.maximum(np.abs(x), np.abs(y)))


def _logarithm(x: Any, y: Any) -> Parts:
    return _log(_size(x, y)), _angle(y, x)


def _square_root(x: Any, y: Any) -> Parts:
    is_nan = y != y
    cases = [np.isinf(y), x == np.inf, x == -np.inf, is_nan | (x != x)]
    imag = [y, np.where(is_nan, y, np.copysign(0.0, y)), np.where(is_nan, np.inf, np.copysign(np.inf, y)), np.nan]
    return (
        np.select(cases, [np.inf, np.inf, np.where(is_nan, y, 0.0), np.nan], np.maximum(x, np.abs(y))),
        np.select(cases, imag, np.where(x < 0, np.copysign(1.0, y), y)),
    )


def _rsqrt(x: Any, y: Any) -> Parts:
    """Return the root's conjugate, divided by |z|; 1 / 0 is infinite with an unknown imaginary part."""
    real, imag = _square_root(x, y)
    cases = [np.isinf(x) | np.isinf(y), (x == 0) & (y == 0)]
    zero = np.where(y != y, 0.0, np.copysign(0.0, -y))
    return np.select(cases, [0.0, np.inf], real), np.select(cases, [zero, np.nan], -imag)


def _cbrt(x: Any, y: Any) -> Parts:
    size, angle = _size(x, y), _angle(y, x) / 3
    return _times(size, _cosine(angle)), _times(size, _sine(angle))


def _sign(x: Any, y: Any) -> Parts:
    is_zero, is_finite = (x == 0) & (y == 0), np.isfinite(x) & np.isfinite(y)
    real, imag = [np.where(is_zero, 0.0, np.where(is_finite, part, np.nan)) for part in (x, y)]
    return real, imag


def _power(x: Any, y: Any, u: Any, v: Any) -> Parts:
    """e^((u + i v) log z), without the terms of v where it is 0. Zero to the power of others is 0 or NaN."""
    real, imag = _logarithm(x, y)
    exponent = [np.where(v == 0, own, own + more) for own, more in ((u * real, -v * imag), (u * imag, v * real))]
    cases = [(u == 0) & (v == 0), (x == 0) & (y == 0)]
    of_zero = np.where(u > 0, 0.0, np.nan)
    real, imag = _exponential(*exponent)
    return np.select(cases, [1.0, of_zero], real), np.select(cases, [0.0, of_zero], imag)


def quotient(a: Any, b: Any, c: Any, d: Any) -> Parts:
    """(a + b i) / (c + d i) by Smith's method (Algorithm 116, 1962), as C's run-time libraries divide."""
    swap = np.abs(c) < np.abs(d)
    large, small = np.where(swap, d, c), np.where(swap, c, d)
    ratio = small / large
    denominator = small * ratio + large
    real = np.where(swap, a * ratio + b, b * ratio + a) / denominator
    imag = np.where(swap, b * ratio - a, b - a * ratio) / denominator
    lost = np.isnan(real) & np.isnan(imag)
    if lost.any():
        real, imag = _recovered(real, imag, lost, (a, b, c, d))
    return real, imag


def _recovered(real: Any, imag: Any, lost: Any, parts: tuple[Any, Any, Any, Any]) -> tuple[Any, Any]:
    """Recover infinite and zero quotients from NaN + NaN i: a zero denominator, an infinite numerator, an infinite
    denominator. Annex G.5.1 of the C standard."""
    a, b, c, d = parts

    def boxed(part: Any) -> Any:
        return np.where(part != part, 0.0, np.copysign(np.where(np.isinf(part), 1.0, 0.0), part))

    by_zero = lost & (c == 0) & (d == 0) & (~np.isnan(a) | ~np.isnan(b))
    infinite = np.copysign(np.inf, c)
    real, imag = np.where(by_zero, infinite * a, real), np.where(by_zero, infinite * b, imag)
    of_infinity = lost & ~by_zero & (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d)
    e, f = boxed(a), boxed(b)
    real = np.where(of_infinity, np.inf * (e * c + f * d), real)
    imag = np.where(of_infinity, np.inf * (f * c - e * d), imag)
    by_infinity = lost & ~by_zero & (np.isinf(c) | np.isinf(d)) & np.isfinite(a) & np.isfinite(b)
    g, h = boxed(c), boxed(d)
    real = np.where(by_infinity, 0.0 * (a * g + b * h), real)
    imag = np.where(by_infinity, 0.0 * (b * g - a * h), imag)
    return real, imag


FUNCTIONS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "abs": lambda x, y: (_size(x, y),),
    "cbrt": _cbrt,
    "cosine": _cos,
    "divide": quotient,
    "exponential": _exponential,
    "exponential_minus_one": _exponential_minus_one,
    "log": _logarithm,
    "log_plus_one": lambda x, y: tuple(
        [np.where((x == 0) & (y == 0), own, part) for own, part in zip((x, y), _logarithm(1 + x, y), strict=True)]
    ),
    "logistic": _logistic,
    "power": _power,
    "rsqrt": _rsqrt,
    "sign": _sign,
    "sine": _sin,
    "sqrt": _square_root,
    "tan": _tan,
    "tanh": _tanh,
}
