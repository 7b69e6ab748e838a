"""Functions of few elements, one by one: a number of the C library, of MPFR or in fixed point decides.

Replaces the functions of floats on at most `_FEW` elements. Gains: each row of `benchmarks/scalar_functions.py`, 10 x.

f16, bf16, f32: the C library's functions of doubles are assumed to be off by fewer than 64 last bits. glibc and musl
claim fewer than one; `tools/run fuzz/scalar_bits` compares. If both ends of that interval round to one float, this is
the result. f64: MPFR (extra `mpfr`) rounds correctly, without it `fixed_point` decides. The definition does the rest.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from ..element_types.arithmetic import Operation
from ..element_types.deciding import DOUBTFUL
from ..element_types.rounding import BFLOAT16
from ..element_types.ulp import layout

Function = Callable[..., float]
FUNCTIONS: dict[str, Function] = {
    "atan2": math.atan2,
    "cbrt": math.cbrt,
    "cosine": math.cos,
    "exponential": math.exp,
    "exponential_minus_one": math.expm1,
    "log": math.log,
    "log_plus_one": math.log1p,
    "logistic": lambda operand: 1.0 / (1.0 + math.exp(-operand)),
    "power": math.pow,
    "rsqrt": lambda operand: 1.0 / math.sqrt(operand),
    "sine": math.sin,
    "tan": math.tan,
    "tanh": math.tanh,
}
BINARY = frozenset({"atan2", "power"})
_BELOW, _ABOVE = 1 - DOUBTFUL * 2.0**-52, 1 + DOUBTFUL * 2.0**-52
_FEW = 8  # the most elements that are computed one by one


def on_scalars(name: str, dtype: np.dtype, definition: Operation, *, use_mpfr: bool = True) -> Operation:
    """Return a function of floats with a faster way for scalars, by MPFR if it is there and `use_mpfr`."""
    if dtype == np.float64:
        function, scale = (mpfr_functions() if use_mpfr else {}).get(name), None
        if function is None:
            from .fixed_point import of_doubles

            function = of_doubles(name)
    else:
        function, scale = FUNCTIONS[name], 2.0 ** (52 - layout(dtype)[1]) + 1
    decide = _decision(dtype, scale)
    scalar = dtype.type
    of_few = few_or(definition, lambda *numbers: decide(function(*numbers)), dtype)

    def of_one(operand: Any) -> Any:
        try:
            return decide(function(float(operand))) if type(operand) is scalar else of_few(operand)
        except (ArithmeticError, ValueError):
            return definition(operand)

    def of_two(lhs: Any, rhs: Any) -> Any:
        try:
            are_scalars = type(lhs) is scalar and type(rhs) is scalar
            return decide(function(float(lhs), float(rhs))) if are_scalars else of_few(lhs, rhs)
        except (ArithmeticError, ValueError):
            return definition(lhs, rhs)

    return of_two if name in BINARY else of_one


def few_or(definition: Operation, function: Function, dtype: np.dtype) -> Operation:
    """Return a function of numbers, on each of few elements, and the definition on others."""

    def of_few(*operands: Any) -> Any:
        shape = operands[0].shape
        if operands[0].size > _FEW or any(operand.shape != shape for operand in operands) or not shape:
            return definition(*operands)
        numbers = zip(*[operand.reshape(-1).tolist() for operand in operands], strict=True)
        return np.array([function(*each) for each in numbers], dtype).reshape(shape)

    return of_few


def _decision(dtype: np.dtype, splitter: float | None) -> Callable[[Any], Any]:
    """Return a function that rounds a value to a normal number of the type, or raises `ArithmeticError`.

    A double decides unless it is NaN. For narrower types Dekker's splitting rounds to their bits.
    """
    limits, one = ml_dtypes.finfo(dtype), dtype.type(1)
    smallest, largest = float(limits.smallest_normal), float(limits.max)
    from_float = dtype.type if dtype == BFLOAT16 else one.__mul__  # numpy multiplies faster than it makes a scalar

    def decide(value: Any) -> Any:
        if not smallest <= abs(value) <= largest:
            raise ArithmeticError
        if splitter is None:
            return from_float(float(value))
        low, high = value * _BELOW, value * _ABOVE
        scaled, scaled_high = low * splitter, high * splitter
        rounded = scaled - (scaled - low)
        if rounded != scaled_high - (scaled_high - high):
            raise ArithmeticError
        return from_float(rounded)

    return decide


@cache
def mpfr_functions() -> dict[str, Function]:
    """The functions of MPFR by the names of ops, none where gmpy2 is not installed."""
    if importlib.util.find_spec("gmpy2") is None:
        return {}
    double: Any = importlib.import_module("gmpy2").ieee(64)
    names = {name: function.__name__ for name, function in FUNCTIONS.items() if name != "logistic"}
    return {name: getattr(double, other) for name, other in {**names, "rsqrt": "rec_sqrt"}.items()}
