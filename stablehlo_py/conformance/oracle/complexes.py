"""Functions of complex numbers in decimal arithmetic, from the real functions of their parts."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

from . import functions as real

Complex = tuple[Decimal, Decimal]


def _divide(z: Complex, w: Complex) -> Complex:
    size = w[0] * w[0] + w[1] * w[1]
    return (z[0] * w[0] + z[1] * w[1]) / size, (z[1] * w[0] - z[0] * w[1]) / size


def _multiply(z: Complex, w: Complex) -> Complex:
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def _magnitude(z: Complex) -> Decimal:
    return (z[0] * z[0] + z[1] * z[1]).sqrt()


def _exponential(z: Complex) -> Complex:
    size = real.exponential(z[0])
    return size * real.cosine(z[1]), size * real.sine(z[1])


def _logarithm(z: Complex) -> Complex:
    return _magnitude(z).ln(), real.arctangent(z[1], z[0])


def _arctangent(z: Complex, w: Complex) -> Complex:
    """-i ln((w + iz) / sqrt(w^2 + z^2))."""
    squares = [_multiply(each, each) for each in (w, z)]
    root = _square_root((squares[0][0] + squares[1][0], squares[0][1] + squares[1][1]))
    real_part, imaginary_part = _logarithm(_divide((w[0] - z[1], w[1] + z[0]), root))
    return imaginary_part, -real_part


def _scaled(z: Complex, factor: Decimal) -> Complex:
    return z[0] * factor, z[1] * factor


def _minus_one(z: Complex) -> Complex:
    """e^z - 1, whose real part is (e^x - 1) cos y - 2 sin(y/2)^2."""
    half = real.sine(z[1] / 2)
    return (
        real.exponential_minus_one(z[0]) * real.cosine(z[1]) - 2 * half * half,
        real.exponential(z[0]) * real.sine(z[1]),
    )


def _plus_one(z: Complex) -> Complex:
    """ln(1 + z), whose real part is ln(1 + (2x + x^2 + y^2)) / 2."""
    x, y = z
    return real.log_plus_one(2 * x + x * x + y * y) / 2, real.arctangent(y, 1 + x)


def _sine(z: Complex) -> Complex:
    return (
        real.sine(z[0]) * real.hyperbolic_cosine(z[1]),
        real.cosine(z[0]) * real.hyperbolic_sine(z[1]),
    )


def _cosine(z: Complex) -> Complex:
    return (
        real.cosine(z[0]) * real.hyperbolic_cosine(z[1]),
        -real.sine(z[0]) * real.hyperbolic_sine(z[1]),
    )


def _square_root(z: Complex) -> Complex:
    """The root with a real part that is not negative."""
    size = _magnitude(z)
    if z[0] >= 0:
        first = ((size + z[0]) / 2).sqrt()
        return first, z[1] / (2 * first)
    second = ((size - z[0]) / 2).sqrt().copy_sign(z[1])
    return z[1] / (2 * second), second


def _tangent(z: Complex) -> Complex:
    return _divide(_sine(z), _cosine(z))


def _hyperbolic_tangent(z: Complex) -> Complex:
    """-i tan(i z)."""
    a, b = _tangent((-z[1], z[0]))
    return b, -a


_ONE: Complex = Decimal(1), Decimal(0)
UNARY: dict[str, Callable[[Complex], Complex]] = {
    "cbrt": lambda z: _exponential(_scaled(_logarithm(z), 1 / Decimal(3))),
    "cosine": _cosine,
    "exponential": _exponential,
    "exponential_minus_one": _minus_one,
    "log": _logarithm,
    "log_plus_one": _plus_one,
    "logistic": lambda z: _divide(_ONE, (1 + _exponential((-z[0], -z[1]))[0], _exponential((-z[0], -z[1]))[1])),
    "rsqrt": lambda z: _divide(_ONE, _square_root(z)),
    "sine": _sine,
    "sqrt": _square_root,
    "tan": _tangent,
    "tanh": _hyperbolic_tangent,
    "negate": lambda z: (-z[0], -z[1]),
    "sign": lambda z: _scaled(z, 1 / _magnitude(z)),
}
BINARY: dict[str, Callable[[Complex, Complex], Complex]] = {
    "add": lambda z, w: (z[0] + w[0], z[1] + w[1]),
    "subtract": lambda z, w: (z[0] - w[0], z[1] - w[1]),
    "multiply": _multiply,
    "divide": _divide,
    "power": lambda z, w: _exponential(_multiply(w, _logarithm(z))),
    "atan2": _arctangent,
}


def evaluate(function: Callable[..., Complex], *arguments: complex) -> tuple[Fraction, Fraction]:
    """A function of finite complex numbers, its parts as fractions with many digits."""
    with localcontext(real.MORE):
        first, second = function(*((real.decimal(z.real), real.decimal(z.imag)) for z in arguments))
    return Fraction(first), Fraction(second)


def magnitude(z: complex) -> Fraction:
    """The distance from the origin, with many digits."""
    with localcontext(real.MORE):
        return Fraction(_magnitude((real.decimal(z.real), real.decimal(z.imag))))
