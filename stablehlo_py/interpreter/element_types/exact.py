"""Functions of real numbers, rounded once to a float type, for results that a double leaves undecided.

A double next to the middle between two floats does not tell which of them is nearer, and processors and C libraries
differ in its last bits. There the function is computed with as many digits as decide, the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache

_D = Context(prec=150, Emax=10**12, Emin=-(10**12))
_DIGITS_OF_PI = 500
_TURNS = Context(prec=_DIGITS_OF_PI)
"""The precision that leaves 150 digits of the rest after the turns of the largest double."""
_ONE, _TWO = Decimal(1), Decimal(2)
_MIDDLE = Fraction(1, 10**30)
"""A value closer to the middle is the middle, a power: no other function of floats has such values."""


def _series(first: Decimal, factor: Decimal, weight: Callable[[int], Decimal]) -> Decimal:
    """The sum of weight(n) first factor^n over n from 0 on."""
    power, total, index = first, first, 0
    while power and power.adjusted() > first.adjusted() - _D.prec:
        index += 1
        power = _D.multiply(power, factor)
        total = _D.add(total, _D.multiply(power, weight(index)))
    return total


def _arctangent_of_small(x: Decimal) -> Decimal:
    return _series(x, -_D.multiply(x, x), lambda n: _D.divide(_ONE, Decimal(2 * n + 1)))


def _arctangent(x: Decimal) -> Decimal:
    halvings = 6
    for _ in range(halvings):  # atan(x) = 2 atan(x / (1 + sqrt(1 + x²)))
        x = _D.divide(x, _D.add(_ONE, _D.sqrt(_D.add(_ONE, _D.multiply(x, x)))))
    return _D.multiply(_arctangent_of_small(x), Decimal(2**halvings))


def _arctangent_of_inverse(number: int, unit: int) -> int:
    """Return the arctangent of 1 / number, times `unit`."""
    term, total, index = unit // number, 0, 1
    while term:
        total += term // index if index % 4 == 1 else -(term // index)
        term, index = term // (number * number), index + 2
    return total


@cache
def _pi() -> Decimal:
    """Machin's formula."""
    unit = 10 ** (_DIGITS_OF_PI + 10)
    digits = 16 * _arctangent_of_inverse(5, unit) - 4 * _arctangent_of_inverse(239, unit)
    return _TURNS.divide(Decimal(digits), Decimal(unit))


def _sine_and_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    quarter = _TURNS.divide(_pi(), _TWO)
    turns = _TURNS.divide(x, quarter).to_integral_value()
    rest = _D.plus(_TURNS.subtract(x, _TURNS.multiply(turns, quarter)))
    square = _D.multiply(rest, rest)
    values = []
    for first, start in ((rest, 1), (_ONE, 0)):
        term, total, index = first, first, start
        while term and term.adjusted() > -_D.prec - 50:
            term = _D.divide(_D.multiply(term, -square), Decimal((index + 1) * (index + 2)))
            total, index = _D.add(total, term), index + 2
        values.append(total)
    sine, cosine = values
    return [(sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine)][int(turns) % 4]


def _power(lhs: Decimal, rhs: Decimal) -> Decimal:
    magnitude = _D.power(abs(lhs), rhs)
    return -magnitude if lhs < 0 and rhs % 2 else magnitude


def _atan2(lhs: Decimal, rhs: Decimal) -> Decimal:
    angle = _arctangent(_D.divide(abs(lhs), abs(rhs))) if rhs else _D.divide(_pi(), _TWO)
    return (_D.subtract(_pi(), angle) if rhs < 0 else angle).copy_sign(lhs)


def _cbrt(x: Decimal) -> Decimal:
    return _D.power(abs(x), _D.divide(_ONE, Decimal(3))).copy_sign(x)


def _logistic(x: Decimal) -> Decimal:
    return _D.divide(_ONE, _D.add(_ONE, _D.exp(-x)))


def _tanh(x: Decimal) -> Decimal:
    exponential = _D.exp(_D.multiply(x, _TWO))
    return _D.divide(_D.subtract(exponential, _ONE), _D.add(exponential, _ONE))


FUNCTIONS: dict[str, Callable[..., Decimal]] = {
    "atan2": _atan2,
    "cbrt": _cbrt,
    "cosine": lambda x: _sine_and_cosine(x)[1],
    "exponential": _D.exp,
    "exponential_minus_one": lambda x: _D.subtract(_D.exp(x), _ONE),
    "log": _D.ln,
    "log_plus_one": lambda x: _D.ln(_D.add(_ONE, x)),
    "logistic": _logistic,
    "power": _power,
    "rsqrt": lambda x: _D.divide(_ONE, _D.sqrt(x)),
    "sine": lambda x: _sine_and_cosine(x)[0],
    "tan": lambda x: _D.divide(*_sine_and_cosine(x)),
    "tanh": _tanh,
}


def rounded(name: str, operands: tuple[float, ...], mantissa_bits: int, least_exponent: int) -> float:
    """The function's value at finite operands as the nearest float with `mantissa_bits` after its first bit, ties to
    even, and with no bits below those of 2^least_exponent. Beyond the largest float, the next power of two."""
    value = Fraction(FUNCTIONS[name](*map(Decimal, operands)))
    if not value:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= magnitude < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, least_exponent) - mantissa_bits)
    whole, rest = divmod(magnitude / unit, 1)
    past_middle = rest - Fraction(1, 2)
    whole += whole & 1 if abs(past_middle) < _MIDDLE else past_middle > 0
    return float(whole * unit) * (-1 if value < 0 else 1)
