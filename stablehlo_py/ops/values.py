"""Values of a program under construction, with Python's operators."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any, cast

import numpy as np

from ..bindings import ir
from ..bindings.build import tensor_type
from ..bindings.dimension_numbers import DotDimensionNumbers
from ..bindings.python_numbers import is_plain, numbers
from ..bindings.types import ElementType, TensorType, ValueType, decode_type, element_type
from ..errors import ArgumentError
from .attributes import array_text, struct
from .builder import Builder, Group, active, located, readable, require
from .parameters import is_array, is_group


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
        if isinstance(value, list):
            value = numbers(value, element_type(str(like.element_type)))
        if isinstance(value, np.ndarray) or not (fills and like.has_static_shape):
            like = tensor_type(np.shape(cast("Any", value)), like.element_type)
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
        decode_tensor(first)  # the inference of the bindings takes anything for one
        if first.type != second.type:
            first, second = _broadcast(builder, first, second), _broadcast(builder, second, first)
        operands = [second, first] if swapped else [first, second]
        return Value(builder.value(name, operands, None, **attributes))

    return located(method)


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


def _shape_value(builder: Builder, sizes: Sequence[int | tuple[ir.Value, int]]) -> ir.Value:
    """Return a shape as a tensor of i32: of numbers, and of dimensions of tensors."""
    one, parts = builder.type("tensor<1xi32>"), list[ir.Value]()
    for size in sizes:
        if isinstance(size, int):
            parts.append(builder.constant(numbers([size], element_type("i32"))))
        else:
            found = builder.value("get_dimension_size", [size[0]], dimension=f"{size[1]} : i64")
            parts.append(builder.value("reshape", [found], one))
    return builder.value("concatenate", parts, dimension="0 : i64")


def _broadcast(builder: Builder, value: ir.Value, other: ir.Value, kept: int = 0) -> ir.Value:
    """Return the value in the shape to which both broadcast by numpy's rule, but for its last `kept` dimensions. A
    dynamic dimension stands for itself."""
    own, wanted = _sizes(value), _sizes(other)
    rank = max(len(own), len(wanted))
    sizes = list[int | tuple[ir.Value, int]]()
    for d in range(-rank, 0):
        fits = -len(own) <= d and (own[d] != 1 or d >= -kept or d < -len(wanted))
        source, shape = (value, own) if fits else (other, wanted)
        size = shape[d] if d >= -len(shape) else 1
        sizes.append((source, len(shape) + d) if size is None else size)
    shape = tuple([size if isinstance(size, int) else None for size in sizes])
    if shape == own:
        return value
    type_ = tensor_type(shape, ir.RankedTensorType(value.type).element_type)
    dimensions = array_text(range(rank - len(own), rank))
    if None not in shape:
        return builder.value("broadcast_in_dim", [value], type_, broadcast_dimensions=dimensions)
    operands = [value, _shape_value(builder, sizes)]
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
        if not builder.is_in_scope(self.ir):
            notes = ["the results of the op with that region are what it returns"]
            raise ArgumentError(f"{self} is used outside of the region that it belongs to", notes=notes)
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

    @located
    def __matmul__(self, other: Any) -> Value:
        builder = require()
        return _product(self.used_in(builder), as_operand(builder, other, self.ir.type))

    @located
    def __rmatmul__(self, other: Any) -> Value:
        builder = require()
        return _product(as_operand(builder, other, self.ir.type), self.used_in(builder))

    @located
    def __getitem__(self, index: Any) -> Value:
        members = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        return _part(self.used_in(require()), list(map(_as_index, members)))


@located
def _unary(name: str, value: Value) -> Value:
    builder = require()
    operand = value.used_in(builder)
    decode_tensor(operand)
    return Value(builder.value(name, [operand]))


def _product(lhs: ir.Value, rhs: ir.Value) -> Value:
    """Return `lhs @ rhs` by numpy's rule."""
    builder = require()
    first, second = decode_tensor(lhs), decode_tensor(rhs)
    if not (first.rank and second.rank and first.element_type == second.element_type):
        raise ArgumentError(f"{first} @ {second}: both need a dimension, and the same element type")
    batches = 0
    if first.rank > 1 and second.rank > 2:
        lhs, rhs = _broadcast(builder, lhs, rhs, kept=2), _broadcast(builder, rhs, lhs, kept=2)
        batches = len(_sizes(rhs)) - 2
    left, right = _sizes(lhs), _sizes(rhs)
    numbered = list(range(batches))
    contracted = max(len(right) - 2, 0)
    dimensions = struct("#stablehlo.dot", vars(DotDimensionNumbers(numbered, numbered, [len(left) - 1], [contracted])))
    rest = [size for d, size in enumerate(right) if d >= batches and d != contracted]
    type_ = tensor_type([*left[:-1], *rest], ir.RankedTensorType(lhs.type).element_type)
    return Value(builder.value("dot_general", [lhs, rhs], type_, dot_dimension_numbers=dimensions))


def _as_index(each: object) -> Any:
    """Return a part of an index with an integer of Python in place of others. Raises `ArgumentError` if it is none."""
    plain: Any = each.item() if is_array(each) and not each.shape else each
    try:
        return plain if plain is None or plain is ... or type(plain) in (bool, slice) else operator.index(plain)
    except TypeError:
        message = f"{each!r} is no index: use integers and slices, or ops.dynamic_slice and ops.gather"
        raise ArgumentError(message) from None


def _part(value: ir.Value, index: Sequence[int | slice | EllipsisType | None]) -> Value:
    """Return the part of a tensor that an index names. A boolean is a new dimension of size 1 or 0, as in numpy."""
    booleans = [each for each in index if isinstance(each, bool)]
    if not booleans:
        return _slice(value, index)
    if len(booleans) + sum(isinstance(each, int) for each in index) > 2:
        raise ArgumentError(f"{list(index)} is no index: a boolean stands beside slices only")
    added = _slice(value, [None if isinstance(each, bool) else each for each in index])
    kept = [slice(int(each)) if isinstance(each, bool) else ... if each is ... else slice(None) for each in index]
    return _slice(added.ir, kept)


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
        if size is not None and not -size <= index < size:
            raise ArgumentError(f"index {index} is out of bounds for a dimension of size {size}")
        index = slice(index, index + 1 if index != -1 else None)
    try:
        parts = [each if each is None else operator.index(each) for each in (index.start, index.stop, index.step)]
        start, limit, stride = slice(*parts).indices(1 << 62 if size is None else size)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{index} is no index: {error}") from None
    if size is None:
        if min(parts[0] or 0, parts[1] or 0) < 0:
            raise ArgumentError("an index from the end of a dynamic dimension: use ops.real_dynamic_slice")
        limit = parts[1]
    if stride < 1:
        raise ArgumentError("a negative step: use ops.reverse")
    return start, limit if limit is None else max(start, limit), stride


def _cut(builder: Builder, value: ir.Value, bounds: Sequence[tuple[int, int | None, int]]) -> ir.Value:
    """Return a slice of a tensor. One that goes to the end of a dynamic dimension asks for its size at run time."""
    columns = [list(column) for column in zip(*bounds, strict=True)]
    if None not in columns[1]:
        names = ("start_indices", "limit_indices", "strides")
        return builder.value("slice", [value], **dict(zip(names, map(array_text, columns), strict=True)))
    starts, strides = (builder.constant(numbers(columns[i], element_type("i32"))) for i in (0, 2))
    limits = _shape_value(builder, [(value, d) if limit is None else limit for d, limit in enumerate(columns[1])])
    shape = [None if limit is None else len(range(start, limit, stride)) for start, limit, stride in bounds]
    type_ = tensor_type(shape, ir.RankedTensorType(value.type).element_type)
    return builder.value("real_dynamic_slice", [value, starts, limits, strides], type_)
