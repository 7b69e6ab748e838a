"""Values of a program under construction, with Python's operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any, cast

import numpy as np

from ..bindings import ir
from ..bindings.build import tensor_type
from ..bindings.dimension_numbers import DotDimensionNumbers
from ..bindings.types import ElementType, TensorType, ValueType, decode_type
from ..errors import ArgumentError
from .attributes import array_text, struct
from .builder import Builder, Group, active, readable, require
from .parameters import is_group, is_plain


def as_operand(builder: Builder, value: Any, like: ir.Type | None = None, *, fills: bool = False) -> ir.Value:
    """Return an operand as a value of the program.

    Args:
        builder: The builder.
        value: A value; an array, which becomes a constant; or a number or a list of numbers, which does too.
        like: The type whose element type numbers get.
        fills: Whether a number stands for a tensor of that type.
    """
    if isinstance(value, Value):
        return value.used_in(builder)
    if isinstance(value, tuple):
        return builder.value("tuple", [as_operand(builder, part, like) for part in cast("tuple[Any, ...]", value)])
    if not is_plain(value):
        return builder.constant(readable(value))
    if isinstance(like, ir.RankedTensorType):
        if str(like.element_type).startswith("!quant."):
            raise ArgumentError(f"{value!r} stands beside quantized values: ops.typed gives it a type")
        is_full = fills and not isinstance(value, list) and like.has_static_shape
        like = like if is_full else tensor_type(np.shape(cast("Any", value)), like.element_type)
    return builder.constant(value, like)


def filling(builder: Builder, types: Sequence[ir.Type], function: Callable[..., Any]) -> Callable[..., Group]:
    """Return what fills a block with arguments of these types by a Python function on values."""

    def fill(*arguments: ir.Value) -> Group:
        result = function(*map(Value, arguments))
        members = list(result) if is_group(result) else [result]
        return [as_operand(builder, each, types[0] if types else None) for each in members if each is not None]

    return fill


def _binary(name: str, *, swapped: bool = False, **attributes: str) -> Callable[[Any, Any], Any]:
    """Return the method for an operator: the op called `name` on operands of one shape."""

    def method(self: Value, other: Any) -> Any:
        builder = require()
        first, second = self.used_in(builder), as_operand(builder, other, self.ir.type, fills=True)
        if first.type != second.type:
            first, second = _broadcast(builder, first, second), _broadcast(builder, second, first)
        operands = [second, first] if swapped else [first, second]
        return Value(builder.value(name, operands, None, **attributes))

    return method


def _comparison(direction: str) -> Callable[[Any, Any], Any]:
    return _binary("compare", comparison_direction=f"#stablehlo<comparison_direction {direction}>")


def _sizes(value: ir.Value) -> tuple[int | None, ...]:
    return decode_tensor(value).shape


def decode_tensor(value: ir.Value) -> TensorType:
    """Return the type of a tensor. Raises `ArgumentError` for a token, a tuple or a future."""
    type_ = decode_type(value.type)
    if not isinstance(type_, TensorType):
        raise ArgumentError(f"{type_} is not a tensor")
    return type_


def _shape_value(builder: Builder, value: ir.Value) -> ir.Value:
    """Return the shape of a tensor as a tensor of i32."""
    dimensions = range(len(_sizes(value)))
    sizes = [builder.value("get_dimension_size", [value], dimension=f"{d} : i64") for d in dimensions]
    one = builder.type("tensor<1xi32>")
    return builder.value("concatenate", [builder.value("reshape", [size], one) for size in sizes], dimension="0 : i64")


def _broadcast(builder: Builder, value: ir.Value, other: ir.Value) -> ir.Value:
    """Return the value in the shape to which both broadcast by numpy's rule. A dynamic dimension stands for itself, and
    a value without dimensions takes every shape."""
    own, wanted = _sizes(value), _sizes(other)
    rank = max(len(own), len(wanted))
    padded, target = (1,) * (rank - len(own)) + own, (1,) * (rank - len(wanted)) + wanted
    shape = tuple([b if a == 1 else a for a, b in zip(padded, target, strict=True)])
    if shape == own:
        return value
    type_ = tensor_type(shape, ir.RankedTensorType(value.type).element_type)
    dimensions = array_text(range(rank - len(own), rank))
    if None not in shape:
        return builder.value("broadcast_in_dim", [value], type_, broadcast_dimensions=dimensions)
    operands = [value, _shape_value(builder, other)]
    return builder.value("dynamic_broadcast_in_dim", operands, type_, broadcast_dimensions=dimensions)


class Value:
    """A value of a program under construction. `ir` is the value of MLIR."""

    __slots__ = ("builder", "ir")
    __array_ufunc__ = None  # numpy leaves `array + value` to `__radd__`
    __iter__ = None
    __hash__ = object.__hash__

    def __init__(self, value: ir.Value) -> None:
        self.ir = value
        self.builder = active()

    def used_in(self, builder: Builder) -> ir.Value:
        """Return the value of MLIR. Raises `ArgumentError` in another module, whose end would be the process's."""
        if self.builder is not builder:
            raise ArgumentError(f"{self} is of another module")
        return self.ir

    @property
    def type(self) -> ValueType:
        """The type, as data."""
        return decode_type(self.ir.type)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The size of each dimension, None for a dynamic one."""
        return _sizes(self.ir)

    @property
    def element_type(self) -> ElementType:
        """The type of the elements."""
        return decode_tensor(self.ir).element_type

    def __repr__(self) -> str:
        return f"<value of {self.ir.type}>"

    def __bool__(self) -> bool:
        raise TypeError("a value is known when the program runs: use ops.if_, ops.select or ops.while_")

    __add__, __radd__ = _binary("add"), _binary("add", swapped=True)
    __sub__, __rsub__ = _binary("subtract"), _binary("subtract", swapped=True)
    __mul__, __rmul__ = _binary("multiply"), _binary("multiply", swapped=True)
    __truediv__, __rtruediv__ = _binary("divide"), _binary("divide", swapped=True)
    __pow__, __rpow__ = _binary("power"), _binary("power", swapped=True)
    __and__, __rand__ = _binary("and"), _binary("and", swapped=True)
    __or__, __ror__ = _binary("or"), _binary("or", swapped=True)
    __xor__, __rxor__ = _binary("xor"), _binary("xor", swapped=True)
    __lt__, __le__, __gt__, __ge__ = _comparison("LT"), _comparison("LE"), _comparison("GT"), _comparison("GE")
    __eq__, __ne__ = _comparison("EQ"), _comparison("NE")

    def __neg__(self) -> Value:
        return _unary("negate", self)

    def __abs__(self) -> Value:
        return _unary("abs", self)

    def __invert__(self) -> Value:
        return _unary("not", self)

    def __matmul__(self, other: Any) -> Value:
        builder = require()
        return _product(self.used_in(builder), as_operand(builder, other, self.ir.type))

    def __rmatmul__(self, other: Any) -> Value:
        builder = require()
        return _product(as_operand(builder, other, self.ir.type), self.used_in(builder))

    def __getitem__(self, index: Any) -> Value:
        members = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        return _slice(self.used_in(require()), members)


def _unary(name: str, value: Value) -> Value:
    builder = require()
    return Value(builder.value(name, [value.used_in(builder)]))


def _product(lhs: ir.Value, rhs: ir.Value) -> Value:
    """Return `lhs @ rhs` by numpy's rule, for batch dimensions of equal sizes."""
    builder = require()
    left, right = _sizes(lhs), _sizes(rhs)
    batches = max(min(len(left), len(right)) - 2, 0)
    numbers = list(range(batches))
    contracted = len(right) - 2 if len(right) > 1 else 0
    dimensions = struct("#stablehlo.dot", vars(DotDimensionNumbers(numbers, numbers, [len(left) - 1], [contracted])))
    rest = [size for d, size in enumerate(right) if d >= batches and d != contracted]
    type_ = tensor_type([*left[:-1], *rest], ir.RankedTensorType(lhs.type).element_type)
    return Value(builder.value("dot_general", [lhs, rhs], type_, dot_dimension_numbers=dimensions))


def _slice(value: ir.Value, index: Sequence[int | slice | EllipsisType | None]) -> Value:
    """Return the part of a tensor that an index with integers, slices, `...` and None names."""
    builder, sizes = require(), _sizes(value)
    taken = sum(1 for each in index if each is not None and each is not ...)
    position = index.index(...) if ... in index else len(index)
    rest = [slice(None)] * (len(sizes) - taken)
    full = [*index[:position], *rest, *index[position + 1 :]]
    if taken > len(sizes) or ... in full:
        raise ArgumentError(f"{list(index)} is no index of {value.type}")
    bounds = [_bounds(each, size) for each, size in zip([e for e in full if e is not None], sizes, strict=True)]
    if any(bound != (0, size, 1) for bound, size in zip(bounds, sizes, strict=True)):
        value = _cut(builder, value, bounds)
    cut = iter(_sizes(value))
    shape = [1 if each is None else next(cut) for each in full]
    kept = [size for size, each in zip(shape, full, strict=True) if not isinstance(each, int)]
    if len(kept) == len(sizes) and None not in full:
        return Value(value)
    if None in kept:
        raise ArgumentError("an index that adds or drops dimensions needs static sizes: use ops.dynamic_reshape")
    type_ = tensor_type(kept, ir.RankedTensorType(value.type).element_type)
    return Value(builder.value("reshape", [value], type_))


def _bounds(index: Any, size: int | None) -> tuple[int, int | None, int]:
    """Return start, limit and stride of an index along a dimension; the limit None is the dynamic size."""
    if isinstance(index, int):
        index = slice(index, index + 1 if index != -1 else None)
    if not isinstance(index, slice):
        raise ArgumentError(f"{index!r} is no index: use integers and slices, or ops.dynamic_slice and ops.gather")
    whole = cast("slice[Any, Any, Any]", index)
    first, last, step = whole.start, whole.stop, whole.step
    if size is not None:
        start, limit, stride = slice(first, last, step).indices(size)
    else:
        start, limit, stride = 0 if first is None else first, last, 1 if step is None else step
        if min(start, 0 if limit is None else limit) < 0:
            raise ArgumentError("an index from the end of a dynamic dimension: use ops.real_dynamic_slice")
    if stride < 1:
        raise ArgumentError("a negative step: use ops.reverse")
    return start, limit if limit is None else max(start, limit), stride


def _cut(builder: Builder, value: ir.Value, bounds: Sequence[tuple[int, int | None, int]]) -> ir.Value:
    """Return a slice of a tensor. One that goes to the end of a dynamic dimension asks for its size at run time."""
    columns = [list(column) for column in zip(*bounds, strict=True)]
    if None not in columns[1]:
        names = ("start_indices", "limit_indices", "strides")
        return builder.value("slice", [value], **dict(zip(names, map(array_text, columns), strict=True)))
    starts, strides = (builder.constant(np.array(columns[i], np.int32)) for i in (0, 2))
    mask = builder.constant(np.array([limit is None for limit in columns[1]]))
    limits = builder.constant(np.array([0 if limit is None else limit for limit in columns[1]], np.int32))
    limits = builder.value("select", [mask, _shape_value(builder, value), limits])
    shape = [None if limit is None else len(range(start, limit, stride)) for start, limit, stride in bounds]
    type_ = tensor_type(shape, ir.RankedTensorType(value.type).element_type)
    return builder.value("real_dynamic_slice", [value, starts, limits, strides], type_)
