"""Functions of few complex numbers, one by one: the C library's functions of doubles or MPC decide.

Replaces the functions of complex numbers on as few elements as `scalars` takes. Gains: the rows of
`benchmarks/scalar_functions.py --complex`, 40 x.

A function is off by less than a share of the size of its value: 2^-40 where doubles decide parts of f32, and 2^-90
where MPC (extra `mpfr`) decides doubles. If both ends of that interval round to one number, it is the part. A larger
loss raises `ArithmeticError`. The definition does the rest.
"""

from __future__ import annotations

import cmath
import importlib
import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from ..element_types.arithmetic import Operation
from .scalars import few_or, mpfr_functions

_BITS = 128
Function = Callable[..., Any]


def _checked(value: Any, least: float) -> Any:
    """A sum of terms of size 1, unless it has lost too many bits."""
    if not least <= abs(value) < 1 / least:
        raise ArithmeticError
    return value


def _log_plus_one(z: complex) -> complex:
    x, y = z.real, z.imag
    if abs(x) > 0.5:
        return cmath.log(complex(1 + x, y))  # a sum of complex numbers may lose the sign of y
    return complex(0.5 * math.log1p(x * (2 + x) + y * y), math.atan2(y, 1 + x))


def _exponential_minus_one(z: complex) -> complex:
    x, y = z.real, z.imag
    return complex(math.expm1(x) * math.cos(y) - 2 * math.sin(y / 2) ** 2, math.exp(x) * math.sin(y))


_OF_SINGLES: dict[str, Function] = {
    "abs": abs,
    "cbrt": lambda z: cmath.exp(cmath.log(z) / 3),
    "cosine": cmath.cos,
    "divide": lambda lhs, rhs: lhs / rhs,
    "exponential": cmath.exp,
    "exponential_minus_one": _exponential_minus_one,
    "log": cmath.log,
    "log_plus_one": _log_plus_one,
    "logistic": lambda z: 1 / _checked(1 + cmath.exp(-z), 2.0**-9),
    "power": lambda lhs, rhs: cmath.exp(_checked(rhs * cmath.log(lhs), 2.0**-9)),
    "rsqrt": lambda z: 1 / cmath.sqrt(z),
    "sign": lambda z: z / abs(z),
    "sine": cmath.sin,
    "sqrt": cmath.sqrt,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
}
NAMES = frozenset(_OF_SINGLES)


def _of_doubles(context: Any) -> dict[str, Function]:
    """The functions by MPC, each step rounded to `_BITS` bits."""
    add, divide, exp, log = context.add, context.div, context.exp, context.log
    third, least = divide(1, 3), 2.0**-36
    return {
        "abs": context.abs,
        "cbrt": lambda z: exp(context.mul(log(z), third)),
        "cosine": context.cos,
        "divide": divide,
        "exponential": exp,
        "exponential_minus_one": lambda z: _checked(add(exp(z), -1), least),
        "log": log,
        "log_plus_one": lambda z: log(add(1, _checked(z, least))),
        "logistic": lambda z: divide(1, _checked(add(1, exp(-z)), least)),
        "power": context.pow,
        "rsqrt": lambda z: divide(1, context.sqrt(z)),
        "sign": lambda z: divide(z, context.abs(z)),
        "sine": context.sin,
        "sqrt": context.sqrt,
        "tan": context.tan,
        "tanh": context.tanh,
    }


def on_complex_scalars(name: str, dtype: np.dtype, definition: Operation) -> Operation:
    """Return a function of complex numbers with a faster way for scalars, or the definition."""
    part = np.dtype(f"f{dtype.itemsize // 2}")
    if part == np.float32:
        function, share, add = _OF_SINGLES[name], 2.0**-40, float.__add__
    elif mpfr_functions():
        context = importlib.import_module("gmpy2").context(precision=_BITS)
        function, share, add = _of_doubles(context)[name], 2.0**-90, context.add
    else:
        return definition
    limits = ml_dtypes.finfo(part)
    smallest, largest = float(limits.smallest_normal), float(limits.max) * (1 - 2.0**-20)

    def decide(value: Any, radius: Any) -> Any:
        if not smallest < abs(value) < largest:
            raise ArithmeticError
        low, high = part.type(add(value, radius)), part.type(add(value, -radius))
        if low != high:
            raise ArithmeticError
        return low

    def of_numbers(*operands: complex) -> Any:
        value = function(*operands)
        radius = float(abs(value)) * share
        if name == "abs":
            return decide(value, radius)
        return scalar(complex(decide(value.real, radius), decide(value.imag, radius)))

    scalar = dtype.type
    of_few = few_or(definition, of_numbers, part if name == "abs" else dtype)

    def run(*operands: Any) -> Any:
        try:
            if all(type(operand) is scalar for operand in operands):
                return of_numbers(*[complex(operand) for operand in operands])
            return of_few(*operands)
        except (ArithmeticError, ValueError):
            return definition(*operands)

    return run
