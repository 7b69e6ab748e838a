"""Queries of patterns about types, values and attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from typing import TypeVar

import numpy as np

from ..bindings import ir
from ..bindings.attributes import ints_of
from ..bindings.elements import dtype_of, to_numpy, value_of
from ..bindings.types import ElementType, Kind
from ..dialect.facts import facts
from ..errors import StablehloError
from .snapshot.facts import TypeFacts
from .snapshot.parts import Op, Value

Answer = TypeVar("Answer")
Item = TypeVar("Item")


def all_known(items: Iterable[Item | None]) -> list[Item] | None:
    """Return the items, or None if one of them is None."""
    found = list(items)
    known = [item for item in found if item is not None]
    return known if len(known) == len(found) else None


def is_discardable(name: str) -> bool:
    """Return whether an attribute is an annotation: MLIR gives those the prefix of their dialect."""
    return "." in name


@cache
def full_name(name: str) -> str:
    """The name of an op where `add` stands for `stablehlo.add`."""
    return name if "." in name else f"stablehlo.{name}"


def inherent_attributes(op: Op) -> dict[str, ir.Attribute]:
    """Return the attributes of the op's own definition."""
    return {name: value for name, value in op.attributes.items() if not is_discardable(name)}


def defining_op(value: Value, name: str) -> Op | None:
    """Return the op that computes `value` if it is called `name` (`add` stands for `stablehlo.add`)."""
    operation = value.op
    return operation if operation is not None and operation.name == full_name(name) else None


def same_types(first: Iterable[Value], second: Iterable[Value]) -> bool:
    """Return whether values have the same types as others one by one, also where dimension sizes are unknown."""
    return all(a.type == b.type for a, b in zip(first, second, strict=True))


def shape_of(type_: ir.Type) -> tuple[int, ...]:
    """Return the dimension sizes of a ranked tensor type; unknown ones are negative."""
    return tuple(ir.RankedTensorType(type_).shape)


def holds_for_elements(needs: Callable[[ElementType], bool], tensors: Iterable[TypeFacts]) -> bool:
    """Return whether `needs` holds for the element types of all tensors, none of them quantized."""
    elements = {tensor.element for tensor in tensors}
    return all(element is not None and needs(element) for element in elements)


def constant_op(value: Value) -> Op | None:
    """Return the op of any dialect that defines a constant tensor."""
    op = value.op
    return op if op is not None and op.kind.is_constant and value.tensor.ranked is not None else None


def is_constant(value: Value) -> bool:
    """Return whether a constant op defines the value."""
    return constant_op(value) is not None


def _once(read: Callable[[Op, Value], Answer | None]) -> Callable[[Value], Answer | None]:
    """Let what reads a constant op and its value take the value, and return None for others. It is read once."""

    @wraps(read)
    def of_value(value: Value) -> Answer | None:
        operation = constant_op(value)
        return None if operation is None else operation.once(read.__name__, lambda: read(operation, value))

    return of_value


@_once
def constant_array(operation: Op, value: Value) -> np.ndarray | None:
    """The value of a constant tensor of numbers as a read-only array (a splat has strides of zero), or None."""
    if value.tensor.element is None:
        return None
    try:
        if operation.name == "shape.const_shape":
            return to_numpy(operation.attributes["shape"])
        return value_of(operation.attributes["value"], value.type)
    except StablehloError:  # an element type or a resource that cannot be read
        return None


def constant_bytes(op: Op) -> int:
    """Return the bytes of a constant op's values, of one element for a splat; 0 for other ops."""
    attribute = op.attributes.get("value") if op.kind.is_constant else None
    if not isinstance(attribute, ir.DenseElementsAttr):
        return 0
    count = 1 if attribute.is_splat else len(attribute)
    return count * dtype_of(ir.ShapedType(attribute.type).element_type).itemsize


@_once
def splat_value(operation: Op, value: Value) -> np.generic | None:
    """Return the element that a constant tensor repeats, or None, without reading the elements of others."""
    if value.tensor.element is None or operation.name == "shape.const_shape":
        return None
    attribute = operation.attributes["value"]
    if not isinstance(attribute, ir.DenseElementsAttr) or not attribute.is_splat or 0 in value.tensor.shape:
        return None
    array = constant_array(value)
    return None if array is None else array[(0,) * array.ndim]


def is_neutral(op_name: str, value: Value) -> bool:
    """Return whether `value` is a constant that does not change what an op combines it with.

    Args:
        op_name: The op's name without its dialect.
        value: The second operand. For floats the other one has to come out exactly, except for the bits of a NaN.
    """
    operation = constant_op(value)
    return operation is not None and operation.once(f"neutral {op_name}", lambda: _is_neutral(op_name, value))


def _is_neutral(op_name: str, value: Value) -> bool:
    splat, element = splat_value(value), value.tensor.element
    if splat is None or element is None or element.kind is Kind.COMPLEX:
        return False
    lowest, highest = element.bounds
    neutral = {"subtract": 0, "multiply": 1, "divide": 1, "maximum": lowest, "minimum": highest}
    if element.kind is Kind.FLOAT:
        number, neutral["add"] = float(splat), -0.0 if element.has_negative_zero else 0  # type: ignore[arg-type]
    else:
        number = int(splat)  # type: ignore[arg-type]
        neutral |= {"add": 0, "and": -1 if element.has_sign else highest, "or": 0, "xor": 0}
    exact = neutral.get(op_name, math.nan)
    return number == exact and math.copysign(1, number) == math.copysign(1, exact)


@_once
def constant_ints(_: Op, value: Value) -> list[int] | None:
    """The elements of a constant tensor of integers in order, or None. Unsigned elements are read as unsigned."""
    element = value.tensor.element
    if element is None or not element.is_integral:
        return None
    array = constant_array(value)
    return None if array is None else [int(element) for element in array.reshape(-1)]


def constant_int(value: Value) -> int | None:
    """Return the value of a constant 0-d or one-element tensor of integers."""
    if value.tensor.count != 1:
        return None
    numbers = constant_ints(value)
    return None if numbers is None else numbers[0]


def ints(op: Op, name: str) -> list[int]:
    """Return an attribute that holds integers as a list."""
    return list(op.snapshot.once(op.attributes[name], ints_of))


def is_set(op: Op, name: str) -> bool:
    """Return whether the boolean attribute `name` of `op` is present and true."""
    return name in op.attributes and ir.BoolAttr(op.attributes[name]).value


AttributeValues = Mapping[str, ir.Attribute | int | Sequence[int]]
"""Attributes by name, where a number stands for an `i64` and a list for an `array<i64: …>`."""


def attribute_of(value: ir.Attribute | int | Sequence[int]) -> ir.Attribute:
    """Return the attribute that a value of `AttributeValues` stands for."""
    if isinstance(value, int):
        return i64(value)
    return value if isinstance(value, ir.Attribute) else ir.DenseI64ArrayAttr.get(list(value))


def i64(value: int) -> ir.Attribute:
    """Return a 64-bit integer attribute."""
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def with_shape(type_: ir.Type, shape: Sequence[int]) -> ir.Type:
    """Return a tensor type of the same elements and another shape, without encoding."""
    element = ir.RankedTensorType(type_).element_type
    return ir.RankedTensorType.get(list(shape), element, loc=ir.Location.unknown())


def shaped_like(op: Op) -> Value | None:
    """Return the operand whose shape every result of the op has, or None where the shape follows otherwise."""
    prefix, _, position = facts(op.name).shape.rpartition(" ")
    return op.operands[int(position)] if prefix == "like operand" else None
