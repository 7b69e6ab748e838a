"""Functions of real and of complex numbers by mpmath, with 400 bits: far beyond the last bit of any type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from mpmath import MPContext

_MP = MPContext()
_MP.prec = 400
_FARTHEST = 1400  # in bits: beyond every type, and so are all numbers that are farther away
Number = Any  # mpmath's mpf or mpc


def _minus_one(z: Number) -> Number:
    """e^z - 1, whose real part is (e^x - 1) cos y - 2 sin(y/2)^2."""
    x, y = z.real, z.imag
    real = _MP.expm1(x) * _MP.cos(y) - 2 * _MP.sin(y / 2) ** 2
    return _MP.mpc(real, _MP.exp(x) * _MP.sin(y))


def _plus_one(z: Number) -> Number:
    """ln(1 + z), whose real part is ln(1 + (2x + x^2 + y^2)) / 2."""
    x, y = z.real, z.imag
    real = _MP.log1p(_MP.fdot([(2, x), (x, x), (y, y)])) / 2
    return _MP.mpc(real, _MP.atan2(y, 1 + x))


def _angle(z: Number, w: Number) -> Number:
    """-i ln((w + iz) / sqrt(w^2 + z^2))."""
    angle = _MP.log((w + _MP.j * z) / _MP.sqrt(w * w + z * z))
    return _MP.mpc(angle.imag, -angle.real)


def _real_angle(y: Number, x: Number) -> Number:
    """Return the angle of (x, y). Of small ones the third power decides, where the quotient is next to a tie."""
    with _MP.workprec(2400 if abs(y) < abs(x) * _MP.ldexp(1, -200) else _MP.prec):
        return _MP.atan2(y, x)


_BOTH: dict[str, Callable[[Number], Number]] = {
    "cosine": _MP.cos,
    "exponential": _MP.exp,
    "log": _MP.log,
    "logistic": lambda z: 1 / (1 + _MP.exp(-z)),
    "rsqrt": lambda z: 1 / _MP.sqrt(z),
    "sine": _MP.sin,
    "sqrt": _MP.sqrt,
    "tan": _MP.tan,
    "tanh": _MP.tanh,
}
_REAL: dict[str, Callable[[Number], Number]] = {**_BOTH, "cbrt": lambda x: _MP.sign(x) * _MP.cbrt(abs(x))}
REAL: dict[str, Callable[..., Number]] = {
    **_REAL,
    "atan2": _real_angle,
    "exponential_minus_one": _MP.expm1,
    "log_plus_one": _MP.log1p,
    "power": _MP.power,
}
COMPLEX_UNARY: dict[str, Callable[[Number], Number]] = {
    **_BOTH,
    "cbrt": _MP.cbrt,
    "exponential_minus_one": _minus_one,
    "log_plus_one": _plus_one,
    "negate": lambda z: -z,
    "sign": lambda z: z / abs(z),
}
COMPLEX_BINARY: dict[str, Callable[[Number, Number], Number]] = {
    "add": lambda z, w: z + w,
    "atan2": _angle,
    "divide": lambda z, w: z / w,
    "multiply": lambda z, w: z * w,
    "power": _MP.power,
    "subtract": lambda z, w: z - w,
}


def _fraction(number: Number) -> Fraction:
    """Return the number; one that is as good where it is beyond all types."""
    if not number:
        return Fraction(0)
    mantissa, exponent = number.man_exp  # without the sign
    size = mantissa.bit_length() + exponent
    if abs(size) > _FARTHEST:
        mantissa, exponent = 1, (_FARTHEST if size > 0 else -_FARTHEST)
    return (mantissa if number > 0 else -mantissa) * Fraction(2) ** exponent


def of_real(name: str, *arguments: float) -> Fraction:
    """Return the value of a function of finite numbers."""
    return _fraction(REAL[name](*map(_MP.mpf, arguments)))


def of_complex(name: str, *arguments: complex, bits: int = _MP.prec) -> tuple[Fraction, Fraction]:
    """Return the parts of the value of a function of finite complex numbers, from so many bits."""
    function: Callable[..., Number] = (COMPLEX_UNARY | COMPLEX_BINARY)[name]
    with _MP.workprec(bits):
        value = function(*map(_MP.mpc, arguments))
        return _fraction(value.real), _fraction(value.imag)


def transform(numbers: Sequence[complex]) -> list[tuple[Fraction, Fraction]]:
    """Return the parts of the Fourier transform."""
    order = len(numbers)
    elements: list[Number] = list(map(_MP.mpc, numbers))
    roots = [_MP.expjpi(_MP.mpf(-2 * k) / order) for k in range(order)]
    sums = [_MP.fsum(x * roots[j * k % order] for k, x in enumerate(elements)) for j in range(order)]
    return [(_fraction(value.real), _fraction(value.imag)) for value in sums]


def magnitude(z: complex) -> Fraction:
    """Return the distance from the origin."""
    return _fraction(abs(_MP.mpc(z)))
