"""What `convert` does between element types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from ...bindings.types import ElementType, Kind, element_type
from .arithmetic import Operation, is_array
from .blocks import in_blocks
from .few import FEW, by_number, by_table, rounder
from .rounding import BFLOAT16, FINITE_ONLY, NUMPY_FLOATS, nearest, to_odd_double

# Up to here a double is every integer.
_EXACT = 1 << 53


def converter(source: ElementType, target: ElementType) -> Operation:
    """The conversion of elements of one type to another. Spec: convert.

    Where the spec leaves open what becomes of a value that the target does not have: integers are taken modulo
    2^bits, floats become the nearest float, and as integers the nearest integer that the target has, NaN zero.
    """
    if source.dtype == target.dtype:
        return lambda operand: operand
    if source.dtype.itemsize == 1 and not is_native(source.dtype):
        return _by_table(source, target)
    if source.kind is Kind.COMPLEX:
        if target.kind is Kind.COMPLEX:
            return target.dtype.type
        part = np.dtype(f"f{source.dtype.itemsize // 2}")
        return _after_real(_of_real(part, target))
    if target.kind is Kind.COMPLEX:
        return _to_complex(source, target)
    return _of_real(source.dtype, target)


def _by_table(source: ElementType, target: ElementType) -> Operation:
    """The conversion of elements of one byte: looked up."""
    values = np.arange(256, dtype=np.uint8).view(source.dtype)
    if source.kind is Kind.FLOAT:
        table = converter(element_type("f32"), target)(values.astype(np.float32))
    else:
        table = converter(element_type("i32"), target)(values.astype(np.int32))
    return by_table(source.dtype, table)


def _after_real(convert: Operation) -> Operation:
    return lambda operand: convert(operand.real[()] if is_array(operand) else operand.real)


def _to_complex(source: ElementType, target: ElementType) -> Operation:
    convert = _of_real(source.dtype, ElementType("", np.dtype(f"f{target.dtype.itemsize // 2}"), Kind.FLOAT, 0))
    return lambda operand: target.dtype.type(convert(operand))


def _of_real(source: np.dtype, target: ElementType) -> Operation:
    """The conversion of booleans, integers or floats to something other than complex numbers."""
    if target.kind is Kind.BOOLEAN:
        return lambda operand: operand != 0
    is_float = not (source == np.bool_ or is_integer(source))
    if target.kind is Kind.FLOAT:
        return _float_to_float(source, target.dtype) if is_float else _integer_to_float(source, target.dtype)
    if is_float:
        return _float_to_integer(target)
    return _integer_to_integer(source, target)


def is_integer(dtype: np.dtype) -> bool:
    """Whether the elements are integers, also of a type that numpy does not have."""
    return dtype.kind in "iu" or dtype.name.startswith(("int", "uint"))


def is_native(dtype: np.dtype) -> bool:
    """Whether the type is one of numpy's own."""
    return dtype.kind in "biufc"


def _integer_to_integer(source: np.dtype, target: ElementType) -> Operation:
    """Modulo 2^bits."""
    if is_native(source) and is_native(target.dtype):
        return target.dtype.type
    if is_native(target.dtype):
        return lambda operand: np.asarray(operand).astype(target.dtype)[()]
    mask = (1 << target.bits) - 1
    half = 1 << (target.bits - 1) if target.kind is Kind.SIGNED else 0
    return by_number(
        lambda operand: ((int(operand) + half) & mask) - half,
        target.dtype,
        lambda operand: (np.asarray(operand).astype(np.int64) & mask).astype(np.uint8).astype(target.dtype)[()],
    )


def _float_to_float(source: np.dtype, target: np.dtype) -> Operation:
    scalar = target.type
    if target in NUMPY_FLOATS:
        if is_native(source):
            return scalar
        return lambda operand: scalar(operand) if is_array(operand) else scalar(float(operand))
    if target == BFLOAT16 and source != np.float64:
        return scalar
    few = 0 if source == BFLOAT16 else FEW  # its conversion is a look-up
    return _rounded(target, in_blocks(lambda operand: nearest(operand, target)), few=few)


def _exact_number(operand: Any) -> int:
    integer = int(operand)
    if not -_EXACT <= integer <= _EXACT:
        raise ValueError(integer)
    return integer


def _rounded(
    target: np.dtype, on_arrays: Operation, number: Callable[[Any], Any] | None = None, few: int = FEW
) -> Operation:
    """The conversion to a type that numpy does not have: few numbers are rounded to its mantissa here, which leaves
    its range to ml_dtypes. Types without a mantissa or without infinity and NaN differ too much."""
    limits = ml_dtypes.finfo(target)
    if not limits.nmant or target in FINITE_ONLY:
        return on_arrays
    inside = range(int(limits.minexp), int(limits.maxexp))
    to_nearest = rounder(int(limits.nmant), int(limits.minexp), inside, float)
    of_number = to_nearest if number is None else lambda operand: to_nearest(number(operand))
    return by_number(of_number, target, on_arrays, few)


def _integer_to_float(source: np.dtype, target: np.dtype) -> Operation:
    if target in (np.dtype(np.float32), np.dtype(np.float64)) and is_native(source):
        return target.type
    if source.itemsize == 8:
        return _rounded(
            target, in_blocks(lambda operand: nearest(to_odd_double(np.asarray(operand)), target)[()]), _exact_number
        )
    on_arrays = in_blocks(lambda operand: nearest(np.asarray(operand).astype(np.float64), target)[()])
    if target in NUMPY_FLOATS:
        return by_number(float, target, on_arrays, few=0)
    return _rounded(target, on_arrays)


def _float_to_integer(target: ElementType) -> Operation:
    """Truncated, then the nearest integer that the target has."""
    is_signed = target.kind is Kind.SIGNED
    lowest = -(1 << (target.bits - 1)) if is_signed else 0
    highest = (1 << (target.bits - is_signed)) - 1
    holder = target.dtype if is_native(target.dtype) else np.dtype(np.int8)

    def of_number(operand: Any) -> int:
        value = float(operand)
        if value != value:
            return 0
        if not lowest - 1 < value < highest + 1:
            return lowest if value < 0 else highest
        return int(value)

    def on_arrays(operand: Any) -> Any:
        values = operand if operand.dtype in NUMPY_FLOATS else operand.astype(np.float32)
        if values.dtype == np.float16:
            values = values.astype(np.float32)
        inside = (values > lowest - 1) & (values < highest + 1)
        if inside.all():
            return values.astype(target.dtype)[()]
        truncated = np.where(inside, values, 0).astype(holder)
        bound = np.where(values < 0, holder.type(lowest), holder.type(highest))
        result = np.where(inside, truncated, np.where(np.isnan(values), holder.type(0), bound))
        return result.astype(target.dtype)[()]

    return by_number(of_number, target.dtype, on_arrays)
