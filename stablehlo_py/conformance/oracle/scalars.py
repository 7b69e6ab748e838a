"""The elementwise ops on Python's numbers, as the spec and IEEE-754 define them: exact, to be rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np

from ...bindings.types import element_type
from . import functions
from .rounding import Number

NAN = math.nan


def _exactly(operation: Callable[[Fraction, Fraction], Fraction], hardware: np.ufunc) -> Callable[..., Number]:
    """Return an operation on fractions that treats infinities, NaN and the signs of zeros as double precision does."""

    def apply(x: float, y: float) -> Number:
        if math.isfinite(x) and math.isfinite(y) and not (hardware is np.divide and y == 0):
            exact = operation(Fraction(x), Fraction(y))
            if exact:
                return exact
        with np.errstate(all="ignore"):
            return float(hardware(np.float64(x), np.float64(y)))

    return apply


def _remainder(x: float, y: float) -> Number:
    if not math.isfinite(x) or math.isnan(y) or y == 0:
        return NAN
    return math.fmod(x, y)  # exact


def maximum(x: float, y: float) -> Number:
    """IEEE-754's maximum: NaN wins, and -0.0 is less than 0.0."""
    if math.isnan(x) or math.isnan(y):
        return NAN
    if x == y:
        return x if math.copysign(1, y) < 0 else y
    return max(x, y)


def minimum(x: float, y: float) -> Number:
    """IEEE-754's minimum."""
    return -maximum(-x, -y)


def _integral(round_to_integer: Callable[[float], int]) -> Callable[[float], Number]:
    def apply(x: float) -> Number:
        return math.copysign(float(round_to_integer(x)), x) if math.isfinite(x) else x

    return apply


def _away_from_zero(x: float) -> int:
    return math.floor(abs(Fraction(x)) + Fraction(1, 2)) * (1 if x > 0 else -1)


FLOAT_BINARY: dict[str, Callable[[float, float], Number]] = {
    "add": _exactly(lambda x, y: x + y, np.add),
    "subtract": _exactly(lambda x, y: x - y, np.subtract),
    "multiply": _exactly(lambda x, y: x * y, np.multiply),
    "divide": _exactly(lambda x, y: x / y, np.divide),
    "remainder": _remainder,
    "maximum": maximum,
    "minimum": minimum,
}
FLOAT_UNARY: dict[str, Callable[[float], Number]] = {
    "abs": abs,
    "negate": lambda x: -x,
    "sign": lambda x: x if x == 0 or math.isnan(x) else math.copysign(1.0, x),
    "floor": _integral(math.floor),
    "ceil": _integral(math.ceil),
    "round_nearest_even": _integral(round),
    "round_nearest_afz": _integral(_away_from_zero),
    "real": lambda x: x,
    "imag": lambda x: 0.0,
}


def _function(
    name: str, special: Callable[[np.float64], np.float64], domain: Callable[[float], bool]
) -> Callable[[float], Number]:
    """Return a function that gives IEEE-754's special values outside of its finite domain."""

    def apply(x: float) -> Number:
        if math.isfinite(x) and domain(x):
            return functions.of_real(name, x)
        with np.errstate(all="ignore"):
            return float(special(np.float64(x)))

    return apply


def _nonzero(x: float) -> bool:
    return x != 0


_SPECIAL: dict[str, tuple[Callable[[np.float64], np.float64], Callable[[float], bool]]] = {
    "cbrt": (np.cbrt, _nonzero),
    "cosine": (np.cos, _nonzero),
    "exponential": (np.exp, _nonzero),
    "exponential_minus_one": (np.expm1, _nonzero),
    "log": (np.log, lambda x: x > 0 and x != 1),
    "log_plus_one": (np.log1p, lambda x: x > -1 and x != 0),
    "logistic": (lambda x: 1 / (1 + np.exp(-x)), lambda x: True),
    "rsqrt": (lambda x: 1 / np.sqrt(x), lambda x: x > 0),
    "sine": (np.sin, _nonzero),
    "sqrt": (np.sqrt, lambda x: x > 0),
    "tan": (np.tan, _nonzero),
    "tanh": (np.tanh, _nonzero),
}
TRANSCENDENTAL = {name: _function(name, *each) for name, each in _SPECIAL.items()}


def power(x: float, y: float) -> Number:
    """x to the y: IEEE-754's pow."""
    if x == 0 and y < 0:
        return math.copysign(math.inf, x) if y % 2 == 1 else math.inf
    if math.isfinite(x) and math.isfinite(y) and x < 0 and y % 1:
        return math.nan
    if not (math.isfinite(x) and math.isfinite(y)) or x == 0 or y == 0 or abs(x) == 1:
        return math.pow(x, y)  # numpy's takes a square root for 0.5, which is wrong for -infinity and -0
    size = functions.of_real("power", abs(x), y)
    return -size if x < 0 and y % 2 == 1 else size


def atan2(y: float, x: float) -> Number:
    """Return the angle of (x, y), with the signs of zeros as IEEE-754's atan2 has them."""
    if not (math.isfinite(x) and math.isfinite(y)) or y == 0 or x == 0:
        return math.atan2(y, x)
    return functions.of_real("atan2", y, x)


def wrapped(value: int, bits: int, signed: bool) -> int:
    """Return an integer modulo 2^bits, as a value of the type."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def wrapped_array(numbers: Iterable[int], element: str) -> np.ndarray:
    """Integers modulo 2^bits, as elements of a type."""
    described = element_type(element)
    whole = [wrapped(number, described.bits, not element.startswith("u")) for number in numbers]
    return np.array(whole, object).astype(described.dtype)


def quotient(x: int, y: int) -> int:
    """x / y without its fraction."""
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _shift_right_logical(x: int, y: int, bits: int) -> int:
    return 0 if _amount(y, bits) >= bits else (x & ((1 << bits) - 1)) >> y


def _amount(y: int, bits: int) -> int:
    """Return the distance of a shift: the number read as unsigned."""
    return y & ((1 << bits) - 1)


def _integer_power(x: int, y: int, bits: int) -> int:
    if y >= 0:
        return pow(x, y, 1 << (bits + 1))  # the same modulo 2^bits
    return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)


def _shift_right_arithmetic(x: int, y: int, bits: int) -> int:
    return wrapped(x, bits, True) >> min(_amount(y, bits), bits - 1)


INTEGER_BINARY: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda x, y, bits: x + y,
    "subtract": lambda x, y, bits: x - y,
    "multiply": lambda x, y, bits: x * y,
    "divide": lambda x, y, bits: quotient(x, y),
    "remainder": lambda x, y, bits: x - y * quotient(x, y),
    "maximum": lambda x, y, bits: max(x, y),
    "minimum": lambda x, y, bits: min(x, y),
    "and": lambda x, y, bits: x & y,
    "or": lambda x, y, bits: x | y,
    "xor": lambda x, y, bits: x ^ y,
    "shift_left": lambda x, y, bits: 0 if _amount(y, bits) >= bits else x << y,
    "shift_right_logical": _shift_right_logical,
    "shift_right_arithmetic": _shift_right_arithmetic,
    "power": _integer_power,
}
INTEGER_UNARY: dict[str, Callable[[int, int], int]] = {
    "abs": lambda x, bits: abs(x),
    "negate": lambda x, bits: -x,
    "not": lambda x, bits: ~x,
    "sign": lambda x, bits: (x > 0) - (x < 0),
    "popcnt": lambda x, bits: (x & ((1 << bits) - 1)).bit_count(),
    "count_leading_zeros": lambda x, bits: bits - (x & ((1 << bits) - 1)).bit_length(),
}
BOOLEAN_BINARY: dict[str, Callable[[bool, bool], bool]] = {
    "add": lambda x, y: x or y,
    "multiply": lambda x, y: x and y,
    "maximum": lambda x, y: x or y,
    "minimum": lambda x, y: x and y,
    "and": lambda x, y: x and y,
    "or": lambda x, y: x or y,
    "xor": lambda x, y: x != y,
}
