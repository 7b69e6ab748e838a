"""Combinators that put a number function before an operation on arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..element_types.arithmetic import Operation
from .few import FEW


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


def by_number(
    of_number: Callable[[Any], Any],
    dtype: np.dtype,
    otherwise: Operation,
    few: int = FEW,
    of_few: Callable[[list[Any], tuple[int, ...]], np.ndarray] | None = None,
) -> Operation:
    """An operation on one operand: `otherwise` where it has more than `few` elements, `of_few` of the list of several
    and their shape, where it is given.

    `of_number` takes one element, as a number of Python's or numpy's, and returns a number that `dtype` then rounds.
    Where it raises `ArithmeticError` or `ValueError`, all is left to `otherwise`, which takes scalars too.
    """
    scalar, ndarray = dtype.type, np.ndarray

    def run(operand: Any) -> Any:
        try:
            if type(operand) is not ndarray:
                return scalar(of_number(operand))
            if operand.size <= few:
                if of_few is not None:
                    flat = operand if operand.ndim == 1 else operand.reshape(-1)
                    return of_few(flat.tolist(), operand.shape)
                if operand.ndim == 1:
                    return np.array([of_number(number) for number in operand.tolist()], dtype)
                return np.array([of_number(number) for number in operand.flat], dtype).reshape(operand.shape)
        except (ArithmeticError, ValueError):
            pass
        return otherwise(operand)

    return run


def by_two_numbers(
    of_numbers: Callable[[Any, Any], Any],
    dtype: np.dtype,
    otherwise: Operation,
    few: int = FEW,
    of_few: Callable[[list[Any], list[Any], tuple[int, ...]], np.ndarray] | None = None,
) -> Operation:
    """As `by_number`, for an operation on two operands."""
    scalar, ndarray = dtype.type, np.ndarray

    def run(lhs: Any, rhs: Any) -> Any:
        try:
            if type(lhs) is not ndarray:
                if type(rhs) is not ndarray:
                    return scalar(of_numbers(lhs, rhs))
            elif lhs.size <= few and lhs.shape == rhs.shape:
                if of_few is not None:
                    return of_few(lhs.reshape(-1).tolist(), rhs.reshape(-1).tolist(), lhs.shape)
                if lhs.ndim == 1:
                    return np.array(list(map(of_numbers, lhs.tolist(), rhs.tolist())), dtype)
                return np.array(list(map(of_numbers, lhs.flat, rhs.flat)), dtype).reshape(lhs.shape)
        except (ArithmeticError, ValueError):
            pass
        return otherwise(lhs, rhs)

    return run


MOST_BITS = 40
"""To how many mantissa bits `rounder` rounds at most."""


def rounder(
    mantissa_bits: int, least_exponent: int, inside: range, outside: Callable[[float], float]
) -> Callable[[Any], float]:
    """Rounds a number to `mantissa_bits` after the first, ties to even, and to multiples of the last one of
    2^least_exponent; what rounding leaves of numbers with exponents that are not `inside` goes through `outside`.

    Adding one and a half times the power of two whose last bit is the one wanted makes the processor round there.
    `mantissa_bits` is at most `MOST_BITS`. Raises `ValueError` where the exponent leaves no room for this in a double,
    and for a NaN, whose bits a Python number does not keep.
    """
    frexp = math.frexp
    known: dict[int, float] = {}

    def at_first(number: float, exponent: int) -> float:
        if not -900 < exponent < 900 or number != number:
            raise ValueError(number)
        magic = math.ldexp(1.5, max(exponent, least_exponent) - mantissa_bits + 52)
        if exponent in inside:
            known[exponent + 1] = magic
        rounded = math.copysign(number + magic - magic, number)
        return rounded if exponent in inside else outside(rounded)

    def to_nearest(operand: Any) -> float:
        number = float(operand)
        exponent = frexp(number)[1]
        if exponent not in known:
            return at_first(number, exponent - 1)
        magic = known[exponent]
        rounded = number + magic - magic
        if rounded != rounded:
            raise ValueError(number)
        return rounded if rounded else number  # a zero keeps its sign

    return to_nearest


@cache
def byte_of(dtype: np.dtype) -> Callable[[Any], int]:
    """Return a function from a scalar of a type of at most eight bits to its byte."""
    values = np.arange(256, dtype=np.uint8).view(dtype)
    number = float if dtype.name.startswith("float") else int
    # A number tells the byte, but for NaN, which equals nothing, and for a zero, which may have a sign.
    bytes_ = {number(value): value.tobytes()[0] for value in values if value == value}
    if np.count_nonzero(values == values.dtype.type(0)) > 1 and number is float:
        del bytes_[0.0]

    def byte(scalar: Any) -> int:
        found = bytes_.get(number(scalar))
        return scalar.tobytes()[0] if found is None else found

    return byte


def by_table(source: np.dtype, operation: Operation) -> Operation:
    """An operation on elements of one byte: of a scalar, looked up among the 256 results."""
    scalars: list[Any] = list(operation(np.arange(256, dtype=np.uint8).view(source)))
    byte = byte_of(source)
    return by_scalars(lambda operand: scalars[byte(operand)], operation)


def by_two_tables(source: np.dtype, operation: Operation, few: int = FEW) -> Operation:
    """An operation on two operands of one byte each, with results of one byte: of scalars and few elements, looked up
    among the 65,536 results."""
    values = np.arange(256, dtype=np.uint8).view(source)
    table: np.ndarray = operation(values[:, np.newaxis], values[np.newaxis, :])
    dtype, rows = table.dtype, [row.tobytes() for row in table]
    scalars = list(np.arange(256, dtype=np.uint8).view(dtype)) if dtype != np.bool_ else [np.False_, np.True_]
    byte, ndarray = byte_of(source), np.ndarray

    def look_up(lhs: Any, rhs: Any) -> Any:
        if type(lhs) is not ndarray and type(rhs) is not ndarray:
            return scalars[rows[byte(lhs)][byte(rhs)]]
        if lhs.size > few or lhs.shape != rhs.shape:
            return operation(lhs, rhs)
        found = [rows[left][right] for left, right in zip(lhs.tobytes(), rhs.tobytes(), strict=True)]
        array = np.frombuffer(bytearray(found), dtype)
        return array if lhs.ndim == 1 else array.reshape(lhs.shape)

    return look_up
