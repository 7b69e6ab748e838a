"""Functions of real and complex numbers with as many digits as decide, rounded once.

A value next to the middle between two floats needs more digits than a double-double has. There the function is computed
in decimal arithmetic of 50 digits, or twice as many until they decide, the same everywhere. The formulas lose less than
half of the digits. Where they subtract close numbers, they have more digits.

mpmath has these functions. The conformance kit's oracle is made of it, and would share its mistakes with this module.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, getcontext, localcontext
from fractions import Fraction
from functools import cache

_MOST_DIGITS = 3200
_ONE, _HALF = Decimal(1), Decimal("0.5")


def _context(digits: int) -> Context:
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _digits() -> int:
    """Return the number of digits at present."""
    return getcontext().prec


def pi() -> Decimal:
    """Pi with 800 digits, which is 330 more than the largest double's turns take, or more than there are at present."""
    return _pi(800 if _digits() <= 450 else 2 * _MOST_DIGITS)


@cache
def _pi(digits: int) -> Decimal:
    """Machin's formula, in integers."""
    unit = 10 ** (digits + 10)

    def arctangent_of_inverse(number: int) -> int:
        term, total, index = unit // number, 0, 1
        while term:
            total += term // index if index % 4 == 1 else -(term // index)
            term, index = term // (number * number), index + 2
        return total

    sum_ = 16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239)
    return _context(digits).divide(Decimal(sum_), Decimal(unit))


def _series(first: Decimal, square: Decimal, divisor: Callable[[int], int]) -> Decimal:
    """Return the sum of terms, each the one before times -square / divisor(its number)."""
    term, total, index = first, first, 0
    least = Decimal(10) ** -(_digits() + 3)
    while term and abs(term) > abs(total) * least:
        index += 1
        term = -term * square / divisor(index)
        total += term
    return total


def arctangent(x: Decimal) -> Decimal:
    """Return the arctangent of a number that is not negative."""
    halvings = 6
    for _ in range(halvings):  # atan(x) = 2 atan(x / (1 + sqrt(1 + x²)))
        x = x / (1 + (1 + x * x).sqrt())
    power, total, index, square = x, x, 1, -x * x
    least = Decimal(10) ** -(_digits() + 3)
    while power and abs(power) > total * least:
        power, index = power * square, index + 2
        total += power / index
    return total * 2**halvings


def sine_and_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    """sin x and cos x."""
    with localcontext(prec=_digits() + max(x.adjusted(), 0) + 30):
        quarter = pi() / 2
        turns = (x / quarter).to_integral_value() if abs(x) > _HALF else Decimal(0)
        rest = x - turns * quarter
    rest = +rest
    square = rest * rest
    sine = _series(rest, square, lambda n: 2 * n * (2 * n + 1))
    cosine = _series(_ONE, square, lambda n: 2 * n * (2 * n - 1))
    return [(sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine)][int(turns) % 4]


def _angle(y: Decimal, x: Decimal) -> Decimal:
    """Return the angle of the point (x, y)."""
    if not y:
        return pi().copy_sign(y) if x.is_signed() else y
    if abs(y) > abs(x):
        return (pi() / 2 - arctangent(abs(x / y)).copy_sign(x)).copy_sign(y)
    angle = arctangent(abs(y / x))
    return (pi() - angle if x < 0 else angle).copy_sign(y)


def _exp(x: Decimal) -> Decimal:
    """e^x, or a number as far beyond all types."""
    return max(min(x, Decimal(10**5)), Decimal(-(10**5))).exp()


def _exponential_minus_one(x: Decimal) -> Decimal:
    """e^x - 1, with the digits that a small x takes."""
    with localcontext(prec=_digits() + max(-x.adjusted(), 0) + 3 if x else 9):
        return _exp(x) - 1


def _power(x: Decimal, y: Decimal) -> Decimal:
    magnitude = _exp(y * abs(x).ln())
    return -magnitude if x < 0 and int(y) % 2 else magnitude


def _tanh(x: Decimal) -> Decimal:
    m = _exponential_minus_one(-2 * abs(x))
    return (-m / (2 + m)).copy_sign(x)


def _log_plus_one(x: Decimal) -> Decimal:
    with localcontext(prec=_digits() + max(-x.adjusted(), 0) + 3):
        return (1 + x).ln()


FUNCTIONS: dict[str, Callable[..., Decimal]] = {
    "atan2": _angle,
    "cbrt": lambda x: (abs(x).ln() / 3).exp().copy_sign(x),
    "cosine": lambda x: sine_and_cosine(x)[1],
    "exponential": _exp,
    "exponential_minus_one": _exponential_minus_one,
    "log": lambda x: x.ln(),
    "log_plus_one": _log_plus_one,
    "logistic": lambda x: 1 / (1 + _exp(-x)),
    "power": _power,
    "rsqrt": lambda x: 1 / x.sqrt(),
    "sine": lambda x: sine_and_cosine(x)[0],
    "tan": lambda x: (lambda both: both[0] / both[1])(sine_and_cosine(x)),
    "tanh": _tanh,
}


# Complex numbers

Parts = tuple[Decimal, Decimal]


def _hyperbolic(x: Decimal) -> Parts:
    """sinh x = (m + m / (m + 1)) / 2 and cosh x = 1 + m² / (m + 1) / 2, where m = e^|x| - 1."""
    m = _exponential_minus_one(min(abs(x), Decimal(10**5)))
    return ((m + m / (m + 1)) / 2).copy_sign(x), 1 + m * m / (m + 1) / 2


def _complex_exponential(x: Decimal, y: Decimal) -> Parts:
    size, (sine, cosine) = _exp(x), sine_and_cosine(y)
    return size * cosine, size * sine


def _complex_exponential_minus_one(x: Decimal, y: Decimal) -> Parts:
    with localcontext(prec=_digits() + max(y.adjusted(), 0) + 3):
        half_angle = y / 2
    (sine, cosine), half = sine_and_cosine(y), sine_and_cosine(half_angle)[0]
    return _exponential_minus_one(x) * cosine - 2 * half * half, _exp(x) * sine


def _half_log_of_squares(x: Decimal, y: Decimal, less: Decimal) -> Decimal:
    """log(x² + y²) / 2, where `less` is x² + y² - 1."""
    size = x * x + y * y
    return (_log_plus_one(less) if _HALF < size < 2 else size.ln()) / 2


def _complex_log(x: Decimal, y: Decimal) -> Parts:
    with localcontext(prec=_digits() + 120):
        large, small = max(abs(x), abs(y)), min(abs(x), abs(y))
        less = (large - 1) * (large + 1) + small * small
    return _half_log_of_squares(x, y, less), _angle(y, x)


def _complex_log_plus_one(x: Decimal, y: Decimal) -> Parts:
    with localcontext(prec=_digits() + 120):
        less, one_more = x * (2 + x) + y * y, 1 + x
    return _half_log_of_squares(one_more, y, less), _angle(y, one_more)


def _complex_logistic(x: Decimal, y: Decimal) -> Parts:
    real, imag = _complex_exponential(x.copy_negate(), y.copy_negate())
    size = (1 + real) * (1 + real) + imag * imag
    return (1 + real) / size, -imag / size


def _complex_tan(x: Decimal, y: Decimal) -> Parts:
    (sine, cosine), (sinh, cosh) = sine_and_cosine(x), _hyperbolic(y)
    size = cosine * cosine + sinh * sinh
    return sine * cosine / size, sinh * cosh / size


def _complex_sqrt(x: Decimal, y: Decimal) -> Parts:
    large = (((x * x + y * y).sqrt() + abs(x)) / 2).sqrt()
    small = abs(y) / 2 / large
    return (small, large.copy_sign(y)) if x < 0 else (large, small.copy_sign(y))


def _complex_rsqrt(x: Decimal, y: Decimal) -> Parts:
    (real, imag), size = _complex_sqrt(x, y), (x * x + y * y).sqrt()
    return real / size, -imag / size


def _complex_sign(x: Decimal, y: Decimal) -> Parts:
    size = (x * x + y * y).sqrt()
    return x / size, y / size


def _complex_power(x: Decimal, y: Decimal, u: Decimal, v: Decimal) -> Parts:
    """e^((u + i v) log z). A part that vanishes beside the other one is computed again; if it still does, it is 0."""
    with localcontext(prec=_digits() + max(u.adjusted(), v.adjusted(), 0) + 30):
        real, imag = _complex_log(x, y)
        real, imag = u * real - v * imag, u * imag + v * real
    parts = _complex_exponential(real, imag)
    least = max(map(abs, parts)).scaleb(-(_digits() // 2))
    if min(map(abs, parts)) > least:
        return parts
    if _digits() >= _MOST_DIGITS // 2:
        return parts[0] if abs(parts[0]) > least else Decimal(0), parts[1] if abs(parts[1]) > least else Decimal(0)
    with localcontext(prec=_MOST_DIGITS // 2):
        return _complex_power(x, y, u, v)


def _complex_products(trigonometric: int) -> Callable[[Decimal, Decimal], Parts]:
    def of_parts(x: Decimal, y: Decimal) -> Parts:
        (sine, cosine), (sinh, cosh) = sine_and_cosine(x), _hyperbolic(y)
        return (cosine * cosh, -sine * sinh) if trigonometric else (sine * cosh, cosine * sinh)

    return of_parts


_COMPLEX: dict[str, Callable[..., tuple[Decimal, ...]]] = {
    "abs": lambda x, y: ((x * x + y * y).sqrt(),),
    "cbrt": lambda x, y: _complex_exponential(*(part / 3 for part in _complex_log(x, y))),
    "cosine": _complex_products(1),
    "exponential": _complex_exponential,
    "exponential_minus_one": _complex_exponential_minus_one,
    "log": _complex_log,
    "log_plus_one": _complex_log_plus_one,
    "logistic": _complex_logistic,
    "power": _complex_power,
    "rsqrt": _complex_rsqrt,
    "sign": _complex_sign,
    "sine": _complex_products(0),
    "sqrt": _complex_sqrt,
    "tan": _complex_tan,
    "tanh": lambda x, y: _complex_tan(y, x)[::-1],
}


def _value(name: str, operands: tuple[float, ...]) -> Decimal:
    """Return a function's value. `complex sine 1` is the second part of a complex number's sine."""
    numbers = map(Decimal, operands)
    if name in FUNCTIONS:
        return FUNCTIONS[name](*numbers)
    _, function, part = name.split()
    return _COMPLEX[function](*numbers)[int(part)]


def _rational(name: str, operands: tuple[float, ...]) -> Fraction | None:
    """Return a value that is a rational number of few bits, exactly; None for others."""
    numbers = list(map(Fraction, operands))
    if name == "power":
        return _power_in_halves(operands)
    if name == "complex abs 0":
        return _whole_root(numbers[0] ** 2 + numbers[1] ** 2)
    if name.startswith("complex divide"):
        a, b, c, d = numbers
        return (b * c - a * d if name.endswith("1") else a * c + b * d) / (c * c + d * d)
    if name.startswith("complex power"):
        x, y, exponent, imaginary = numbers
        if imaginary or exponent.denominator > 1 or not 0 <= exponent <= 64:
            return None
        real, imag = Fraction(1), Fraction(0)
        for _ in range(int(exponent)):
            real, imag = real * x - imag * y, real * y + imag * x
        return imag if name.endswith("1") else real
    return None


def _power_in_halves(operands: tuple[float, ...]) -> Fraction | None:
    """x^y exactly, if it is a rational number of few bits, and None otherwise. Square roots of x make y whole."""
    x, y = map(Fraction, operands)
    while y.denominator > 1:
        root = _whole_root(x)
        if root is None:
            return None
        x, y = root, y * 2
    is_short = abs(y) * max(x.numerator.bit_length(), x.denominator.bit_length()) < 4000
    return x**y.numerator if x and is_short else None


def _whole_root(x: Fraction) -> Fraction | None:
    """Return the square root, if it is a fraction."""
    if x < 0:
        return None
    roots = math.isqrt(x.numerator), math.isqrt(x.denominator)
    return Fraction(*roots) if roots[0] ** 2 == x.numerator and roots[1] ** 2 == x.denominator else None


def rounded(name: str, operands: tuple[float, ...], mantissa_bits: int, least_exponent: int) -> float:
    """Return the function's value at finite operands as the nearest float, ties to even. `mantissa_bits` follow the
    first bit, and the least normal number is 2^least_exponent. Beyond the largest float, the next power of two."""
    digits, result = 100 if name.startswith("complex") else 50, None
    if (value := _rational(name, operands)) is not None:
        result = _to_float(value, Fraction(0), mantissa_bits, least_exponent)
    while result is None:
        with localcontext(_context(digits)):
            value = _fraction(_value(name, operands))
        if digits >= _MOST_DIGITS:  # only the middle itself is so close to it: a power of complex numbers
            value = value.limit_denominator(1 << 2200)
        error = Fraction(0) if digits >= _MOST_DIGITS else Fraction(1, 10 ** (digits // 2))
        result = _to_float(value, error, mantissa_bits, least_exponent)
        digits *= 2
    return result


def _fraction(value: Decimal) -> Fraction:
    """Return a number as a fraction. A very large or small number becomes 10^400 or 10^-400, beyond all types."""
    if abs(value.adjusted()) > 400 and value:
        return Fraction(10) ** (400 if value.adjusted() > 0 else -400) * (-1 if value < 0 else 1)
    return Fraction(value)


def _to_float(value: Fraction, error: Fraction, mantissa_bits: int, least_exponent: int) -> float | None:
    """Return the nearest float, or None where the relative error leaves two."""
    magnitude = abs(value)
    if not value:
        return 0.0
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= magnitude < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, least_exponent) - mantissa_bits)
    nearest = [round(magnitude * (1 + sign * error) / unit) for sign in (-1, 1)]
    if nearest[0] != nearest[1]:
        return None
    if nearest[0].bit_length() + (max(exponent, least_exponent) - mantissa_bits) > 1024:
        return math.inf if value > 0 else -math.inf
    return float(nearest[0] * unit) * (-1 if value < 0 else 1)
