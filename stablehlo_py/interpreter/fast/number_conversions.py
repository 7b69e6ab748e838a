"""Conversions of scalars and few elements by Python's numbers; see `numbers`.

Gains: `non-maximum suppression, 200 steps`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from ...bindings.types import ElementType, Kind
from ..element_types import conversion
from ..element_types.arithmetic import Operation
from ..element_types.rounding import BFLOAT16, FINITE_ONLY, NUMPY_FLOATS, layout
from .blocks import in_blocks
from .choosing import by_number, by_scalars, by_table, rounder
from .few import FEW

_BOOLEAN = np.dtype(np.bool_)
_DOUBLE = np.dtype(np.float64)


@cache
def converter(source: ElementType, target: ElementType) -> Operation:
    """Return the conversion with number functions for scalars and few elements, block by block for many."""
    operation = conversion.converter(source, target)
    if source.dtype == target.dtype:
        return operation
    if source.dtype.itemsize == 1 and not conversion.is_native(source.dtype):
        return by_table(source.dtype, operation)
    if not isinstance(operation, type):
        operation = in_blocks(operation)
    if Kind.COMPLEX in (source.kind, target.kind):
        return operation
    return _convert_real(source.dtype, target, operation)


def _convert_real(source: np.dtype, target: ElementType, operation: Operation) -> Operation:
    if target.kind is Kind.BOOLEAN:
        return operation
    is_float = not (source == _BOOLEAN or conversion.is_integer(source))
    if target.kind is Kind.FLOAT:
        return (_from_float if is_float else _from_integer)(source, target.dtype, operation)
    if is_float:
        return _to_integer(target, operation)
    if conversion.is_native(source) and not conversion.is_native(target.dtype):
        mask = (1 << target.bits) - 1
        half = 1 << (target.bits - 1) if target.kind is Kind.SIGNED else 0
        return by_number(lambda operand: ((int(operand) + half) & mask) - half, target.dtype, operation)
    return operation


def _from_float(source: np.dtype, target: np.dtype, operation: Operation) -> Operation:
    if target in NUMPY_FLOATS:
        scalar = target.type
        is_native = conversion.is_native(source)
        return operation if is_native else by_scalars(lambda operand: scalar(float(operand)), operation)
    if target == BFLOAT16 and source != _DOUBLE:
        return operation
    few = 0 if source == BFLOAT16 else FEW  # its conversion is a look-up
    return _rounded(target, operation, few=few)


def _from_integer(source: np.dtype, target: np.dtype, operation: Operation) -> Operation:
    if target in (np.dtype(np.float32), _DOUBLE) and conversion.is_native(source):
        return operation
    if source.itemsize == 8:
        return _rounded(target, operation, _exact_number)
    return by_number(float, target, operation, few=0) if target in NUMPY_FLOATS else _rounded(target, operation)


def _exact_number(operand: Any) -> int:
    """The integer, which a double is too. Raises `ValueError` for any other."""
    integer = int(operand)
    if not -(1 << 53) <= integer <= 1 << 53:
        raise ValueError(integer)
    return integer


def _rounded(
    target: np.dtype, operation: Operation, number: Callable[[Any], Any] | None = None, few: int = FEW
) -> Operation:
    """The conversion to a type that numpy lacks: numbers are rounded to its mantissa, which leaves its range to
    ml_dtypes. Types without a mantissa or without infinity and NaN differ too much."""
    _, mantissa_bits, least_exponent = layout(target)
    if not mantissa_bits or target in FINITE_ONLY:
        return operation
    inside = range(least_exponent, int(ml_dtypes.finfo(target).maxexp))
    to_nearest = rounder(mantissa_bits, least_exponent, inside, float)
    of_number = to_nearest if number is None else lambda operand: to_nearest(number(operand))
    return by_number(of_number, target, operation, few)


def _to_integer(target: ElementType, operation: Operation) -> Operation:
    lowest, highest = conversion.integer_range(target)

    def of_number(operand: Any) -> int:
        value = float(operand)
        if value != value:
            return 0
        if not lowest - 1 < value < highest + 1:
            return lowest if value < 0 else highest
        return int(value)

    return by_number(of_number, target.dtype, operation)
