"""Functions of doubles in integers that stand for numbers with `BITS` bits after the point.

Replaces the definition's functions of f64 on scalars where MPFR is not installed; see `scalars`. A function returns a
value and an exponent, which stand for value * 2^(exponent - BITS), with an error of fewer than 2^40 units of the value.
If both ends of that interval round to one double, this is the result. Powers of two, sines and cosines at small steps
come from tables, in which the C library only chooses the place, what is left from series. Gains: the rows of f64 in
`benchmarks/scalar_functions.py` without gmpy2, 8 to 30 x.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext

from ..element_types import exact

BITS = 128
_ONE, _SCALE, _ERROR = 1 << BITS, 2.0**BITS, 1 << 40
_LARGEST, _LEAST = 2.0**16, 2.0**-1000  # bounds of angles and exponents of powers, and of results
_STEPS, _QUARTER, _TURN = 1024, 512, 2048  # from a power of two to the next, and in a quarter of a turn and a turn


def _tables() -> tuple[int, int, list[int], list[int]]:
    """The logarithm and the angle of a step, the powers of two from 1 on, and the sines of a turn."""
    more = _ONE << 40
    with localcontext(prec=80):
        log, angle = Decimal(2).ln() / _STEPS, 2 * exact.pi() / _TURN
        factor, (sine, cosine) = int(log.exp() * more), [int(each * more) for each in exact.sine_and_cosine(angle)]
        log_of_step, angle_of_step = int(log * _ONE), int(angle * _ONE)
    powers, sines, point = [more], [0], (more, 0)
    for _ in range(_STEPS - 1):
        powers.append(powers[-1] * factor >> BITS + 40)
    for _ in range(_TURN - 1):
        x, y = point
        point = (x * cosine - y * sine) >> BITS + 40, (x * sine + y * cosine) >> BITS + 40
        sines.append(point[1])
    return log_of_step, angle_of_step, [each >> 40 for each in powers], [each >> 40 for each in sines]


_LOG, _ANGLE, _POWERS, _SINES = _tables()
# Series whose next term is below 2^24 units.
_OF_EXPONENTIAL = [_ONE // math.factorial(number) for number in range(8, -1, -1)]
_OF_LOGARITHM = [_ONE // number * (-1) ** (number + 1) for number in range(10, 0, -1)]
_OF_SINE = [_ONE // math.factorial(2 * number + 1) * (-1) ** number for number in range(4, -1, -1)]
_OF_COSINE = [_ONE // math.factorial(2 * number) * (-1) ** number for number in range(5, -1, -1)]
_OF_ANGLE = [_ONE // (2 * number + 1) * (-1) ** number for number in range(5, -1, -1)]


def _fixed(x: float) -> int:
    return int(x * _SCALE)  # the product has the bits of x


def _polynomial(coefficients: list[int], x: int) -> int:
    total = 0
    for coefficient in coefficients:
        total = coefficient + (total * x >> BITS)
    return total


def _exponential(x: int) -> tuple[int, int]:
    steps, rest = divmod(x, _LOG)
    return _POWERS[steps % _STEPS] * _polynomial(_OF_EXPONENTIAL, rest) >> BITS, steps // _STEPS


def _logarithm(x: int, exponent: int) -> int:
    """The logarithm of x * 2^exponent, x positive."""
    shift = BITS + 1 - x.bit_length()
    x = x << shift if shift > 0 else x >> -shift
    steps = int((math.log2(x) - BITS) * _STEPS)
    rest = (x * _POWERS[-steps % _STEPS] >> BITS + (steps > 0)) - _ONE
    if abs(rest) >> (BITS - 10):
        raise ArithmeticError
    return (steps + (exponent - shift) * _STEPS) * _LOG + (_polynomial(_OF_LOGARITHM, rest) * rest >> BITS)


def _log(x: float) -> int:
    mantissa, exponent = math.frexp(x)
    return _logarithm(_fixed(mantissa), exponent)


def _sine_and_cosine(x: float) -> tuple[int, int]:
    if abs(x) > _LARGEST:
        raise OverflowError
    steps, rest = divmod(_fixed(x), _ANGLE)
    square = rest * rest >> BITS
    y, z = _polynomial(_OF_SINE, square) * rest >> BITS, _polynomial(_OF_COSINE, square)
    sine, cosine = _SINES[steps % _TURN], _SINES[(steps + _QUARTER) % _TURN]
    return (sine * z + cosine * y) >> BITS, (cosine * z - sine * y) >> BITS


def _angle(y: float, x: float) -> tuple[int, int]:
    """The angle of steps, and that whose tangent is the rest's."""
    steps, shift = math.floor(math.atan2(y, x) * _SCALE / _ANGLE), -max(math.frexp(y)[1], math.frexp(x)[1])
    real, imag = _fixed(math.ldexp(x, shift)), _fixed(math.ldexp(y, shift))
    sine, cosine = _SINES[steps % _TURN], _SINES[(steps + _QUARTER) % _TURN]
    rest = ((imag * cosine - real * sine) << BITS) // (real * cosine + imag * sine)
    if abs(rest) >> (BITS - 8):
        raise ArithmeticError
    return steps * _ANGLE + (_polynomial(_OF_ANGLE, rest * rest >> BITS) * rest >> BITS), 0


def _exponential_minus_one(x: float) -> tuple[int, int]:
    value, exponent = _exponential(_fixed(x))
    return (value - (_ONE >> exponent), exponent) if exponent > 0 else ((value >> -exponent) - _ONE, 0)


def _logistic(x: float) -> tuple[int, int]:
    value, exponent = _exponential(-_fixed(abs(x)))
    numerator, exponent_of_result = (_ONE, 0) if x > 0 else (value, exponent)
    return (numerator << BITS) // (_ONE + (value >> -exponent)), exponent_of_result


def _power(x: float, y: float) -> tuple[int, int]:
    if abs(y) > _LARGEST:
        raise OverflowError
    return _exponential(_log(x) * _fixed(y) >> BITS)


def _rsqrt(x: float) -> tuple[int, int]:
    exponent = math.frexp(x)[1] // 2
    return math.isqrt((_ONE << 2 * BITS) // _fixed(math.ldexp(x, -2 * exponent))), -exponent


def _tan(x: float) -> tuple[int, int]:
    sine, cosine = _sine_and_cosine(x)
    if not abs(cosine) >> (BITS - 7):
        raise OverflowError
    return (sine << BITS) // cosine, 0


def _tanh(x: float) -> tuple[int, int]:
    value, exponent = _logistic(2 * x)
    return 2 * (value >> -exponent) - _ONE, 0


_FUNCTIONS: dict[str, Callable[..., tuple[int, int]]] = {
    "atan2": _angle,
    "cbrt": lambda x: _exponential(_log(x) // 3),
    "cosine": lambda x: (_sine_and_cosine(x)[1], 0),
    "exponential": lambda x: _exponential(_fixed(x)),
    "exponential_minus_one": _exponential_minus_one,
    "log": lambda x: (_log(x), 0),
    "log_plus_one": lambda x: (_logarithm(_ONE + _fixed(x), 0), 0),
    "logistic": _logistic,
    "power": _power,
    "rsqrt": _rsqrt,
    "sine": lambda x: (_sine_and_cosine(x)[0], 0),
    "tan": _tan,
    "tanh": _tanh,
}


def of_doubles(name: str) -> Callable[..., float]:
    """Return a function of doubles that raises `ArithmeticError` or `ValueError` if it cannot decide."""
    function = _FUNCTIONS[name]

    def run(*operands: float) -> float:
        value, exponent = function(*operands)
        low, high = float(value - _ERROR), float(value + _ERROR)
        result = math.ldexp(low, exponent - BITS)
        if low != high or abs(result) < _LEAST:
            raise ArithmeticError
        return result

    return run
