"""The interface of every element type's arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ...bindings.types import ElementType
from ...errors import InterpreterError

Operation = Callable[..., Any]
"""Takes and returns arrays that broadcast against each other, or numpy scalars in place of 0-d arrays."""

_COMPARISONS: dict[str, Operation] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
    "LE": operator.le,
    "LT": operator.lt,
}


class Arithmetic:
    """The operations on elements of one type, by the names of the ops. A type that lacks one raises
    `InterpreterError` when it is asked for."""

    abs: Operation
    add: Operation
    and_: Operation
    atan2: Operation
    cbrt: Operation
    ceil: Operation
    complex: Operation
    cosine: Operation
    count_leading_zeros: Operation
    divide: Operation
    exponential: Operation
    exponential_minus_one: Operation
    floor: Operation
    imag: Operation
    is_finite: Operation
    log: Operation
    log_plus_one: Operation
    logistic: Operation
    maximum: Operation
    minimum: Operation
    multiply: Operation
    negate: Operation
    not_: Operation
    or_: Operation
    popcnt: Operation
    power: Operation
    real: Operation
    remainder: Operation
    round_nearest_afz: Operation
    round_nearest_even: Operation
    rsqrt: Operation
    shift_left: Operation
    shift_right_arithmetic: Operation
    shift_right_logical: Operation
    sign: Operation
    sine: Operation
    sqrt: Operation
    subtract: Operation
    tan: Operation
    tanh: Operation
    xor: Operation
    total_order_key: Operation
    """Integers that compare as IEEE-754's totalOrder has their floats."""

    def __init__(self, element_type: ElementType) -> None:
        self.element_type = element_type
        self.dtype = element_type.dtype

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise InterpreterError(f"is not defined for elements of type {self.element_type}")

    def comparison(self, direction: str, *, total_order: bool = False) -> Operation:
        """`lhs direction rhs`, direction being one of EQ, NE, GE, GT, LE, LT."""
        compare = _COMPARISONS[direction]
        if not total_order:
            return compare
        key = self.total_order_key
        return lambda lhs, rhs: compare(key(lhs), key(rhs))

    def reduce_precision(self, exponent_bits: int, mantissa_bits: int) -> Operation:
        """Rounds to a float of that many bits, and back. Spec: reduce_precision."""
        raise InterpreterError(f"is not defined for elements of type {self.element_type}")


def is_array(value: Any) -> bool:
    """Whether an operand is an array and not a scalar."""
    return type(value) is np.ndarray


def bits_dtype(dtype: np.dtype) -> np.dtype:
    """The unsigned integers as wide as the elements of `dtype`."""
    return np.dtype(f"u{dtype.itemsize}")
