"""Queries of patterns about types, values and attributes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from ..bindings import ir
from ..bindings.attributes import ints_of
from ..bindings.elements import constant_value, dtype_of, to_numpy
from ..contracts.facts import facts
from ..errors import StablehloError


@cache
def is_discardable(name: str) -> bool:
    """Return whether an attribute is an annotation: MLIR gives those the prefix of their dialect."""
    return "." in name


def inherent_attributes(op: ir.Operation) -> dict[str, ir.Attribute]:
    """Return the attributes of the op's own definition."""
    return {name: value for name, value in op.attributes.items() if not is_discardable(name)}


def is_constant_op(op: ir.Operation) -> bool:
    """Return whether the op gives a value that it holds as an attribute."""
    return facts(op.name).is_constant


def defining_op(value: ir.Value, name: str) -> ir.Operation | None:
    """The op that computes `value` if it is called `name` (`add` stands for `stablehlo.add`)."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    operation = owner.operation
    return operation if operation.name == (name if "." in name else f"stablehlo.{name}") else None


def has_one_use(value: ir.Value) -> bool:
    """Return whether exactly one operand uses the value."""
    uses = iter(value.uses)
    return next(uses, None) is not None and next(uses, None) is None


def is_used(value: ir.Value) -> bool:
    """Return whether any operand uses the value."""
    return next(iter(value.uses), None) is not None


def same_types(first: Iterable[ir.Value], second: Iterable[ir.Value]) -> bool:
    """Return whether values have the same types as others one by one, also where extents are unknown."""
    return all(a.type == b.type for a, b in zip(first, second, strict=True))


def tensor_type(value: ir.Value) -> ir.RankedTensorType | None:
    """The type of a ranked tensor, or None."""
    return value.type if isinstance(value.type, ir.RankedTensorType) else None


def shape_of(type_: ir.Type) -> tuple[int, ...]:
    """The extents of a ranked tensor type; unknown ones are negative."""
    return tuple(ir.RankedTensorType(type_).shape)


def static_shape(value: ir.Value) -> tuple[int, ...] | None:
    """The extents, if all are known."""
    type_ = tensor_type(value)
    return tuple(type_.shape) if type_ is not None and type_.has_static_shape else None


def element_count(value: ir.Value) -> int | None:
    """The number of elements of a tensor of static shape."""
    shape = static_shape(value)
    return None if shape is None else math.prod(shape)


@cache
def _element_kind(text: str) -> str:
    if text == "i1":
        return "boolean"
    if text.startswith("!quant."):
        return "quantized"
    if text.startswith("complex<"):
        return "complex"
    if text.startswith(("i", "ui", "si")):  # index too
        return "integer"
    return "float" if text.startswith(("f", "bf", "tf")) else "other"


def element_kind(value: ir.Value) -> str:
    """`boolean`, `integer`, `float`, `complex`, `quantized`, or `other` (not a tensor included)."""
    type_ = value.type
    return _element_kind(str(type_.element_type)) if isinstance(type_, ir.ShapedType) else "other"


def is_quantized(value: ir.Value) -> bool:
    """Return whether the elements are quantized; rearranging those per axis would change their type."""
    return element_kind(value) == "quantized"


def constant_op(value: ir.Value) -> ir.Operation | None:
    """Return the op of any dialect that defines a constant tensor."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    operation = owner.operation
    return operation if is_constant_op(operation) and isinstance(value.type, ir.RankedTensorType) else None


def is_constant(value: ir.Value) -> bool:
    """Return whether a constant op defines the value."""
    return constant_op(value) is not None


def constant_array(value: ir.Value) -> np.ndarray | None:
    """The value of a constant tensor of numbers as a read-only array (a splat has strides of zero), or None."""
    operation = constant_op(value)
    if operation is None or is_quantized(value):
        return None
    try:
        if operation.name == "shape.const_shape":
            return to_numpy(operation.attributes["shape"])
        return constant_value(operation)
    except StablehloError:  # an element type or a resource that cannot be read
        return None


def constant_bytes(op: ir.Operation) -> int:
    """The bytes of values that a constant op holds: those of one element for a splat; 0 for other ops."""
    attribute = op.attributes.get("value") if is_constant_op(op) else None
    if not isinstance(attribute, ir.DenseElementsAttr):
        return 0
    count = 1 if attribute.is_splat else len(attribute)
    return count * dtype_of(ir.ShapedType(attribute.type).element_type).itemsize


def splat_value(value: ir.Value) -> np.generic | None:
    """Return the element that a constant tensor repeats, or None, without reading the elements of others."""
    operation = constant_op(value)
    if operation is None or is_quantized(value) or operation.name == "shape.const_shape":
        return None
    attribute = operation.attributes["value"]
    if not isinstance(attribute, ir.DenseElementsAttr) or not attribute.is_splat or 0 in shape_of(value.type):
        return None
    array = constant_array(value)
    return None if array is None else array[(0,) * array.ndim]


def is_neutral(op_name: str, value: ir.Value) -> bool:
    """Return whether `value` is a constant that does not change what an op combines it with.

    Args:
        op_name: The op's name without its dialect.
        value: The second operand. For floats the other one has to come out exactly, except for the bits of a NaN.
    """
    splat, kind = splat_value(value), element_kind(value)
    if splat is None or kind not in ("integer", "boolean", "float"):
        return False
    number = float(splat) if kind == "float" else int(splat)  # type: ignore[arg-type]
    if kind == "float":
        exact = {"add": -0.0, "multiply": 1.0, "maximum": -np.inf, "minimum": np.inf}.get(op_name)
        return exact is not None and number == exact and np.signbit(number) == np.signbit(exact)
    element = str(ir.RankedTensorType(value.type).element_type)
    unsigned = element == "i1" or element.startswith("ui")
    bits = int(element.lstrip("uis"))
    highest = (1 << bits) - 1 if unsigned else (1 << (bits - 1)) - 1
    lowest = 0 if unsigned else -(1 << (bits - 1))
    ones = highest if unsigned else -1
    neutral = {"add": 0, "multiply": 1, "maximum": lowest, "minimum": highest, "and": ones, "or": 0, "xor": 0}
    return neutral.get(op_name) == number


def constant_ints(value: ir.Value) -> list[int] | None:
    """The elements of a constant tensor of integers in order, or None. Unsigned elements are read as unsigned."""
    if element_kind(value) not in ("integer", "boolean"):
        return None
    array = constant_array(value)
    return None if array is None else [int(element) for element in array.reshape(-1)]


def constant_int(value: ir.Value) -> int | None:
    """The value of a constant 0-d or one-element tensor of integers."""
    if element_count(value) != 1:
        return None
    numbers = constant_ints(value)
    return None if numbers is None else numbers[0]


def ints(op: ir.Operation, name: str) -> list[int]:
    """An attribute that holds integers as a list."""
    return list(ints_of(op.attributes[name]))


def i64_array(values: Sequence[int]) -> ir.Attribute:
    """The attribute `array<i64: …>`."""
    return ir.DenseI64ArrayAttr.get(list(values))


def i64(value: int) -> ir.Attribute:
    """A 64-bit integer attribute."""
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def with_shape(type_: ir.Type, shape: Sequence[int]) -> ir.Type:
    """A tensor type of the same elements and another shape, without encoding."""
    element = ir.RankedTensorType(type_).element_type
    return ir.RankedTensorType.get(list(shape), element, loc=ir.Location.unknown())


def shaped_like(op: ir.Operation) -> ir.Value | None:
    """Return the operand whose shape every result of the op has, or None where the shape follows otherwise."""
    prefix, _, position = facts(op.name).shape.rpartition(" ")
    return op.operands[int(position)] if prefix == "like operand" else None


def has_plain_type(value: ir.Value) -> bool:
    """Return whether the type is a tensor of static shape without an encoding, and not quantized."""
    return static_shape(value) is not None and has_no_encoding(value) and not is_quantized(value)


def has_no_encoding(value: ir.Value) -> bool:
    """Return whether the type is a ranked tensor without bounds, sparsity and the like."""
    type_ = tensor_type(value)
    return type_ is not None and type_.encoding is None
