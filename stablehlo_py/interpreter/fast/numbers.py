"""Number functions: faster ways for scalars, chosen here from tables and nowhere else.

Replace operations of element types on scalars: numpy's preparations cost more than an operation on Python's numbers.
Both ways give the same bits; the bits of a NaN are unspecified. Gains: `LSTM, 500 steps`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from ...bindings.types import ElementType
from .. import element_types
from ..element_types.arithmetic import Arithmetic, Operation, bits_dtype
from ..element_types.deciding import DOUBTFUL
from ..element_types.floats import Floats
from ..element_types.integers import Integers
from ..element_types.rounding import layout
from .blocks import FastFloats, in_blocks

_DOUBLE = np.dtype(np.float64)
_PYTHON_OPERATORS = "_operator"
"""The module of what is fastest for scalars as it is."""

_WHOLE = frozenset({"imag", "maximum", "minimum", "real"})
"""Operations that take one or two passes over whole arrays, or none."""

Choose = Callable[[Any, Operation], Operation]
"""Takes an element type's arithmetic and one of its operations; returns the operation with its number function."""


class NumberArithmetic(Arithmetic):
    """The operations of an array arithmetic, each with the number function that the tables have for it."""

    def __init__(self, arrays: Arithmetic, choices: dict[str, Choose]) -> None:
        super().__init__(arrays.element_type)
        self._arrays = arrays
        self._choices = choices

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        operation: Operation = getattr(self._arrays, name)
        choose = self._choices.get(name)
        if not isinstance(operation, np.ufunc | BuiltinFunctionType) and name not in _WHOLE:
            operation = in_blocks(operation)
        if choose is not None and getattr(operation, "__module__", "") != _PYTHON_OPERATORS:
            operation = choose(self._arrays, operation)
        setattr(self, name, operation)  # the next time, __getattr__ is not asked
        return operation

    def total_order_key(self, operand: Any) -> Any:
        return self._arrays.total_order_key(operand)

    def comparison(self, direction: str, *, total_order: bool = False) -> Operation:
        return self._arrays.comparison(direction, total_order=total_order)

    def reduce_precision(self, exponent_bits: int, mantissa_bits: int) -> Operation:
        return in_blocks(self._arrays.reduce_precision(exponent_bits, mantissa_bits))


@cache
def arithmetic(element_type: ElementType) -> Arithmetic:
    """Return the operations on elements of this type, with number functions for scalars and blocks for many."""
    arrays = element_types.arithmetic(element_type)
    if isinstance(arrays, Floats):
        return NumberArithmetic(FastFloats(element_type), _OF_EVERY_FLOAT if arrays.dtype == _DOUBLE else _OF_FLOATS)
    return NumberArithmetic(arrays, _OF_INTEGERS if isinstance(arrays, Integers) else {})


@cache
def converter(source: ElementType, target: ElementType) -> Operation:
    """Return the conversion of elements, block by block for many."""
    operation = element_types.converter(source, target)
    return operation if isinstance(operation, type) else in_blocks(operation)


def by_scalars(of_scalar: Operation, otherwise: Operation) -> Operation:
    """An operation on one operand: `of_scalar` for a numpy scalar, whose result it returns as it is."""
    ndarray = np.ndarray
    return lambda operand: otherwise(operand) if type(operand) is ndarray else of_scalar(operand)


def by_two_scalars(of_scalars: Operation, otherwise: Operation) -> Operation:
    """As `by_scalars`, for an operation on two operands."""
    ndarray = np.ndarray

    def run(lhs: Any, rhs: Any) -> Any:
        if type(lhs) is ndarray or type(rhs) is ndarray:
            return otherwise(lhs, rhs)
        return of_scalars(lhs, rhs)

    return run


# Integers


def _shifted_in_zeros(integers: Integers, operation: Operation) -> Operation:
    scalar, zero, mask = integers.dtype.type, integers.dtype.type(0), (1 << integers.bits) - 1

    def of_scalars(lhs: Any, rhs: Any) -> Any:
        amount = int(rhs)
        if amount > 0:
            return scalar((int(lhs) & mask) >> amount)
        return zero if amount else lhs  # a negative amount is a large one

    return by_two_scalars(of_scalars, operation)


def _shifted_in_sign(integers: Integers, operation: Operation) -> Operation:
    unsigned = bits_dtype(integers.dtype).type
    ones = unsigned((1 << integers.bits) - 1).view(integers.dtype)
    highest = unsigned(1 << (integers.bits - 1)).view(integers.dtype)
    return by_two_scalars(
        lambda lhs, rhs: ~((~lhs & ones) >> rhs) if lhs & highest else lhs >> rhs,
        operation,
    )


def _integer_quotient(integers: Integers, operation: Operation) -> Operation:
    one, ones = integers.dtype.type(1), ~integers.dtype.type(0)

    def of_scalars(lhs: Any, rhs: Any) -> Any:
        if not rhs:
            return ones
        found = lhs // rhs
        return found + one if found < 0 and found * rhs != lhs else found

    return by_two_scalars(of_scalars, operation)


def _integer_remainder(lhs: Any, rhs: Any) -> Any:
    if not rhs:
        return lhs
    remainder = lhs % rhs
    return remainder - rhs if remainder and remainder ^ lhs < 0 else remainder


_OF_INTEGERS: dict[str, Choose] = {
    "divide": _integer_quotient,
    "maximum": lambda _, operation: by_two_scalars(lambda lhs, rhs: lhs if lhs > rhs else rhs, operation),
    "minimum": lambda _, operation: by_two_scalars(lambda lhs, rhs: lhs if lhs < rhs else rhs, operation),
    "remainder": lambda _, operation: by_two_scalars(_integer_remainder, operation),
    "shift_right_arithmetic": _shifted_in_sign,
    "shift_right_logical": _shifted_in_zeros,
}


# Floats


def _larger_float(lhs: Any, rhs: Any) -> Any:
    if lhs > rhs or (lhs == rhs and lhs):
        return lhs
    return rhs if rhs > lhs else lhs + rhs


def _smaller_float(lhs: Any, rhs: Any) -> Any:
    if lhs < rhs or (lhs == rhs and lhs):
        return lhs
    return rhs if rhs < lhs else -(-lhs - rhs)


def _float_sign(floats: Floats, operation: Operation) -> Operation:
    zero, one, minus_one = [floats.dtype.type(value) for value in (0, 1, -1)]
    return by_scalars(
        lambda operand: one if operand > zero else minus_one if operand < zero else operand,
        operation,
    )


@cache
def _decisive(dtype: np.dtype) -> Callable[[float], float]:
    """A function that returns a double which tells the nearest float of the type, and raises `ValueError` for any
    other: where what rounding drops is about half a last bit, which is a power of two."""
    _, mantissa_bits, least_exponent = layout(dtype)
    splitter = 2.0 ** (52 - mantissa_bits) + 1
    smallest = 2.0**least_exponent
    slack = DOUBTFUL * 2.0 ** (mantissa_bits - 52)
    low, high = 0.5 + slack, 1 - slack
    frexp = math.frexp

    def check(value: float) -> float:
        product = value * splitter
        dropped = frexp(value - (product - (product - value)))[0]
        if low < dropped < high or -high < dropped < -low:
            if value >= smallest or value <= -smallest:
                return value
        elif not dropped and (not value or abs(value) >= smallest):
            return value
        raise ValueError(value)

    return check


def _inexact(of_number: Callable[..., float]) -> Choose:
    """A function of Python's floats that is not computed exactly, for a type narrower than theirs."""

    def choose(floats: Floats, operation: Operation) -> Operation:
        scalar, check, ndarray = floats.dtype.type, _decisive(floats.dtype), np.ndarray

        def run(*operands: Any) -> Any:
            if ndarray not in map(type, operands):
                try:
                    return scalar(check(of_number(*map(float, operands))))
                except (ArithmeticError, ValueError):
                    pass
            return operation(*operands)

        return run

    return choose


_OF_EVERY_FLOAT: dict[str, Choose] = {
    "maximum": lambda _, operation: by_two_scalars(_larger_float, operation),
    "minimum": lambda _, operation: by_two_scalars(_smaller_float, operation),
    "sign": _float_sign,
}
_OF_FLOATS: dict[str, Choose] = {
    **_OF_EVERY_FLOAT,
    "atan2": _inexact(math.atan2),
    "cbrt": _inexact(math.cbrt),
    "cosine": _inexact(math.cos),
    "exponential": _inexact(math.exp),
    "exponential_minus_one": _inexact(math.expm1),
    "log": _inexact(math.log),
    "log_plus_one": _inexact(math.log1p),
    "logistic": _inexact(lambda operand: 1 / (1 + math.exp(-operand))),
    "power": _inexact(math.pow),
    "rsqrt": _inexact(lambda operand: 1 / math.sqrt(operand)),
    "sine": _inexact(math.sin),
    "tan": _inexact(math.tan),
    "tanh": _inexact(math.tanh),
}
