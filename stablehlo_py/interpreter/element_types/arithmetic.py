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

    abs: Operation  # |operand|: the modulus for complex numbers
    add: Operation  # lhs + rhs: logical or for booleans, modulo 2^bits for integers
    and_: Operation  # lhs and rhs, bit by bit
    atan2: Operation  # The angle of the point (rhs, lhs)
    cbrt: Operation  # The cubic root of operand
    ceil: Operation  # operand rounded toward positive infinity
    complex: Operation  # lhs + rhs i, of floats
    cosine: Operation  # cos(operand)
    count_leading_zeros: Operation  # How many zero bits operand has above its highest one
    divide: Operation  # lhs / rhs: without the fractional part for integers
    exponential: Operation  # e^operand
    exponential_minus_one: Operation  # e^operand - 1
    floor: Operation  # operand rounded toward negative infinity
    imag: Operation  # The imaginary part of operand, zero for floats
    is_finite: Operation  # Whether x is neither an infinity nor NaN
    log: Operation  # The natural logarithm of operand
    log_plus_one: Operation  # The natural logarithm of operand + 1
    logistic: Operation  # 1 / (1 + e^-operand)
    maximum: Operation  # The larger of lhs and rhs: NaN if either is, or for booleans
    minimum: Operation  # The smaller of lhs and rhs: NaN if either is, and for booleans
    multiply: Operation  # lhs * rhs: logical and for booleans, modulo 2^bits for integers
    negate: Operation  # -operand: modulo 2^bits for integers
    not_: Operation  # The complement of operand, bit by bit
    or_: Operation  # lhs or rhs, bit by bit
    popcnt: Operation  # How many bits of operand are set
    power: Operation  # lhs^rhs: modulo 2^bits for integers
    real: Operation  # The real part of operand
    remainder: Operation  # lhs - trunc(lhs / rhs) * rhs, with the sign of lhs
    round_nearest_afz: Operation  # operand rounded to the nearest integer, ties away from zero
    round_nearest_even: Operation  # operand rounded to the nearest integer, ties to even
    rsqrt: Operation  # 1 / sqrt(operand)
    shift_left: Operation  # lhs shifted left by rhs bits; zero once rhs, as an unsigned number, reaches the width
    shift_right_arithmetic: Operation  # lhs shifted right by rhs bits, its highest bit copied in from the left
    shift_right_logical: Operation  # lhs shifted right by rhs bits, zeros coming in from the left
    sign: Operation  # -1, 0 or 1 by the sign of operand; operand / |operand| for complex numbers
    sine: Operation  # sin(operand)
    sqrt: Operation  # The square root of operand
    subtract: Operation  # lhs - rhs: modulo 2^bits for integers
    tan: Operation  # tan(operand)
    tanh: Operation  # tanh(operand)
    xor: Operation  # lhs exclusive or rhs, bit by bit
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
        """Round to a float with these numbers of bits, and back. Spec: reduce_precision."""
        raise InterpreterError(f"is not defined for elements of type {self.element_type}")


def bits_dtype(dtype: np.dtype) -> np.dtype:
    """Return the unsigned integers as wide as the elements of `dtype`."""
    return np.dtype(f"u{dtype.itemsize}")
