"""Conversions between element types, as `convert` makes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings.types import ElementType, Kind, element_type
from .arithmetic import Operation
from .rounding import BFLOAT16, NUMPY_FLOATS, nearest, to_odd_double


def converter(source: ElementType, target: ElementType) -> Operation:
    """Return the conversion of elements of one type to another. Spec: convert.

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
        convert = _convert_real(part_dtype(source), target)
        return lambda operand: convert(operand.real[()])
    if target.kind is Kind.COMPLEX:
        convert = _convert_real(source.dtype, ElementType("", part_dtype(target), Kind.FLOAT, 0))
        return lambda operand: target.dtype.type(convert(operand))
    return _convert_real(source.dtype, target)


def part_dtype(complex_type: ElementType) -> np.dtype:
    """Return the floats that complex numbers of this type are made of."""
    return np.dtype(f"f{complex_type.dtype.itemsize // 2}")


def _by_table(source: ElementType, target: ElementType) -> Operation:
    """Return the conversion of elements of one byte: looked up."""
    values = np.arange(256, dtype=np.uint8).view(source.dtype)
    if source.kind is Kind.FLOAT:
        table = converter(element_type("f32"), target)(values.astype(np.float32))
    else:
        table = converter(element_type("i32"), target)(values.astype(np.int32))
    return lambda operand: table.take(operand.view(np.uint8))


def _convert_real(source: np.dtype, target: ElementType) -> Operation:
    """Return the conversion of booleans, integers or floats to something other than complex numbers."""
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
    return lambda operand: (np.asarray(operand).astype(np.int64) & mask).astype(np.uint8).astype(target.dtype)[()]


def _float_to_float(source: np.dtype, target: np.dtype) -> Operation:
    if target in NUMPY_FLOATS or (target == BFLOAT16 and source != np.float64):
        return target.type
    return lambda operand: nearest(operand, target)


def _integer_to_float(source: np.dtype, target: np.dtype) -> Operation:
    if target in (np.dtype(np.float32), np.dtype(np.float64)) and is_native(source):
        return target.type
    if source.itemsize == 8:
        return lambda operand: nearest(to_odd_double(np.asarray(operand)), target)[()]
    return lambda operand: nearest(np.asarray(operand).astype(np.float64), target)[()]


def _float_to_integer(target: ElementType) -> Operation:
    """Truncated, then the nearest integer that the target has."""
    lowest, highest = map(int, target.bounds)
    holder = target.dtype if is_native(target.dtype) else np.dtype(np.int8)

    def convert(operand: Any) -> Any:
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

    return convert
