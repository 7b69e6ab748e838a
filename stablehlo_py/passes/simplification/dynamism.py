"""Dynamic ops whose shape turns out to be known: they become the static ops."""

from __future__ import annotations

import math

import numpy as np

from ...bindings import ir
from ...bindings.attributes import int_of
from ...bindings.elements import dtype_of, from_numpy
from ...bindings.types import Kind
from ...dialect.facts import facts
from ..matching import (
    AttributeValues,
    all_known,
    constant_array,
    constant_ints,
    defining_op,
    inherent_attributes,
    ints,
    shape_of,
    shaped_like,
    with_shape,
)
from ..rewriter import Rewriter, merge_discardable_attributes
from ..rewriting import Pattern, pattern, plain
from ..snapshot.parts import Op, Value
from .slicing import PADDING, slice_attributes

PATTERNS: list[Pattern] = []


def _accepts_refined_operand(user: Op) -> bool:
    known = facts(user.name)
    return known.dialect == "stablehlo" and not known.exact_types and len(user.regions) == 0


def _refine(
    op: Op, rewriter: Rewriter, name: str, operands: list[Value], attributes: AttributeValues, result: ir.Type | None
) -> bool:
    """Replace an op by a new one, whose type is inferred if it is None; see `replace_refined`."""
    return replace_refined(op, rewriter.create(name, operands, attributes, before=op, result=result), rewriter)


def replace_refined(op: Op, new: Op, rewriter: Rewriter) -> bool:
    """Replace an op of dynamic types by one whose types know more; a conversion back to the dynamic type is put
    between where a user of a result needs it. Returns True."""
    merge_discardable_attributes(op, new.results[0])
    values: list[Value] = []
    for result, value in zip(op.results, new.results, strict=True):
        if value.type != result.type and not all(map(_accepts_refined_operand, result.users)):
            value = rewriter.create("convert", [value], before=op, result=result.type).results[0]
        values.append(value)
    return rewriter.replace(op, values)


@pattern(PATTERNS, "get_dimension_size", folds=True)
def known_dimension_size(op: Op, rewriter: Rewriter) -> bool:
    """The size of a static dimension is a constant."""
    size = op.operands[0].tensor.shape[int_of(op.attributes["dimension"])]
    return size >= 0 and rewriter.replace(op, [rewriter.constant(size, op.results[0].type, before=op)])


@pattern(PATTERNS, "set_dimension_size", folds=True)
def set_dimension_size_to_itself(op: Op, rewriter: Rewriter) -> bool:
    """Setting a static dimension to the size that it has gives the operand."""
    operand, size = op.operands
    dimension_size = op.results[0].tensor.shape[int_of(op.attributes["dimension"])]
    return constant_ints(size) == [dimension_size] and rewriter.forward(op, operand)


@pattern(PATTERNS, "dynamic_reshape", folds=True)
def dynamic_reshape_is_static(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic reshape to a static type is a reshape."""
    return op.results[0].tensor.static_shape is not None and rewriter.rewrite_as(op, "reshape", [op.operands[0]])


@pattern(PATTERNS, "dynamic_reshape", folds=True, needs=plain)
def dynamic_reshape_to_constant_shape(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic reshape to a constant shape is a reshape to the static type of that shape."""
    new_type = known_type(op.operands[1], op.results[0])
    if new_type is None or math.prod(shape_of(new_type)) != op.operands[0].tensor.count:
        return False
    return _refine(op, rewriter, "reshape", [op.operands[0]], {}, new_type)


@pattern(PATTERNS, "dynamic_reshape", of={0: "dynamic_reshape"})
def dynamic_reshape_of_dynamic_reshape(op: Op, rewriter: Rewriter) -> bool:
    """dynamic_reshape(dynamic_reshape(x, _), shape) = dynamic_reshape(x, shape)."""
    return rewriter.rewrite_as(op, "dynamic_reshape", [op.source(0).operands[0], op.operands[1]])


@pattern(PATTERNS, "dynamic_reshape")
def dynamic_reshape_to_shape_kept(op: Op, rewriter: Rewriter) -> bool:
    """dynamic_reshape(f(dynamic_reshape(x, shape)), shape) needs no outer reshape, for elementwise f."""
    operation = op.operands[0].op
    shaped = None if operation is None else shaped_like(operation)
    inner = None if shaped is None else defining_op(shaped, "dynamic_reshape")
    return inner is not None and inner.operands[1] == op.operands[1] and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "shape.shape_of", of={0: "dynamic_reshape"})
def shape_of_dynamic_reshape(op: Op, rewriter: Rewriter) -> bool:
    """The shape of dynamic_reshape(x, shape) is `shape`."""
    return rewriter.forward(op, op.source(0).operands[1])


@pattern(PATTERNS, "shape.shape_of", folds=True)
def shape_of_static(op: Op, rewriter: Rewriter) -> bool:
    """The shape of a tensor of static shape is a constant."""
    shape = op.operands[0].tensor.static_shape
    result_type = op.results[0].type
    if shape is None or not isinstance(result_type, ir.RankedTensorType) or not result_type.has_static_shape:
        return False
    attributes = {"shape": from_numpy(np.array(shape, np.int64), result_type)}
    constant = rewriter.create("shape.const_shape", [], attributes, before=op, result=result_type)
    return rewriter.replace(op, constant.results)


@pattern(PATTERNS, "arith.index_cast", folds=True)
def index_cast_of_constant(op: Op, rewriter: Rewriter) -> bool:
    """A constant of another integer type is a constant, if its numbers fit that type."""
    numbers = constant_ints(op.operands[0])
    result_type = op.results[0].type
    if numbers is None or not isinstance(result_type, ir.RankedTensorType) or not result_type.has_static_shape:
        return False
    array = np.array(numbers, np.int64).reshape(tuple(result_type.shape))
    cast = array.astype(dtype_of(result_type.element_type))
    if not np.array_equal(cast, array):
        return False
    if not isinstance(result_type.element_type, ir.IndexType):
        return rewriter.replace(op, [rewriter.constant(cast, result_type, before=op)])
    attributes = {"value": from_numpy(cast, result_type)}
    constant = rewriter.create("arith.constant", [], attributes, before=op, result=result_type)
    return rewriter.replace(op, constant.results)


@pattern(PATTERNS, "dynamic_iota", folds=True, needs=lambda element: element.kind is not Kind.BOOLEAN)
def dynamic_iota_is_static(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic iota of static type, or of constant shape, is an iota."""
    new_type = known_type(op.operands[0], op.results[0])
    attributes = {"iota_dimension": op.attributes["iota_dimension"]}
    return new_type is not None and _refine(op, rewriter, "iota", [], attributes, new_type)


@pattern(PATTERNS, "dynamic_iota")
def dynamic_iota_is_broadcast(op: Op, rewriter: Rewriter) -> bool:
    """Counting along one of several dimensions is counting, broadcast along the others."""
    result = op.results[0]
    if len(result.tensor.shape) < 2 or not result.tensor.has_no_encoding:
        return False
    dimension, shape_operand = int_of(op.attributes["iota_dimension"]), op.operands[0]
    wide_type = ir.RankedTensorType.get(shape_operand.tensor.shape, ir.IntegerType.get_signless(64))
    element = str(ir.RankedTensorType(shape_operand.type).element_type)
    if element != "i64":
        conversion = "arith.index_cast" if element == "index" else "convert"
        shape_operand = rewriter.create(conversion, [shape_operand], before=op, result=wide_type).results[0]
    line_type = with_shape(result.type, [result.tensor.shape[dimension]])
    size = rewriter.create("slice", [shape_operand], _element_at(dimension), before=op)
    line = rewriter.create("dynamic_iota", size.results, {"iota_dimension": 0}, before=op, result=line_type)
    attributes = {"broadcast_dimensions": [dimension]}
    return rewriter.rewrite_as(op, "dynamic_broadcast_in_dim", [line.results[0], op.operands[0]], attributes)


@pattern(PATTERNS, "dynamic_broadcast_in_dim", folds=True, needs=plain)
def dynamic_broadcast_is_static(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic broadcast of a static operand to a static type or a constant shape is a broadcast."""
    operand, shape_operand = op.operands
    new_type = None if operand.tensor.static_shape is None else known_type(shape_operand, op.results[0])
    attributes = {"broadcast_dimensions": op.attributes["broadcast_dimensions"]}
    return new_type is not None and _refine(op, rewriter, "broadcast_in_dim", [operand], attributes, new_type)


@pattern(PATTERNS, "dynamic_broadcast_in_dim", of={0: "dynamic_broadcast_in_dim"})
def dynamic_broadcast_of_dynamic_broadcast(op: Op, rewriter: Rewriter) -> bool:
    """broadcast(broadcast(x, _, A), shape, B) = broadcast(x, shape, B after A)."""
    inner = op.source(0)
    outer_dims = ints(op, "broadcast_dimensions")
    merged = [outer_dims[dim] for dim in ints(inner, "broadcast_dimensions")]
    attributes = {"broadcast_dimensions": merged}
    return rewriter.rewrite_as(op, "dynamic_broadcast_in_dim", [inner.operands[0], op.operands[1]], attributes)


def _keeps_dimensions(op: Op) -> bool:
    return ints(op, "broadcast_dimensions") == list(range(len(op.results[0].tensor.shape)))


@pattern(PATTERNS, "dynamic_broadcast_in_dim", needs=plain)
def dynamic_broadcast_expands_nothing(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic broadcast that is known to expand no dimension only changes what the type knows."""
    if "known_nonexpanding_dimensions" not in op.attributes or not _keeps_dimensions(op):
        return False
    expands = len(ints(op, "known_nonexpanding_dimensions")) != len(op.results[0].tensor.shape)
    return not expands and rewriter.rewrite_as(op, "convert", [op.operands[0]])


@pattern(PATTERNS, "dynamic_broadcast_in_dim", of={0: "dynamic_reshape"})
def dynamic_broadcast_to_reshaped_shape(op: Op, rewriter: Rewriter) -> bool:
    """dynamic_broadcast(dynamic_reshape(x, shape), shape) = dynamic_reshape(x, shape)."""
    inner = op.source(0)
    if inner.operands[1] != op.operands[1] or not _keeps_dimensions(op):
        return False
    return rewriter.rewrite_as(op, "dynamic_reshape", inner.operands)


@pattern(PATTERNS, "dynamic_broadcast_in_dim", of={1: "shape.shape_of"})
def dynamic_broadcast_to_own_shape(op: Op, rewriter: Rewriter) -> bool:
    """dynamic_broadcast(x, shape_of(x)) = x."""
    is_own = op.source(1).operands == op.operands[:1] and _keeps_dimensions(op)
    return is_own and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "dynamic_gather", folds=True)
def dynamic_gather_is_static(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic gather of constant slice sizes is a gather."""
    sizes = constant_ints(op.operands[2])
    if sizes is None:
        return False
    return rewriter.rewrite_as(op, "gather", op.operands[:2], {**inherent_attributes(op), "slice_sizes": sizes})


@pattern(PATTERNS, "dynamic_pad", folds=True, needs=plain)
def dynamic_pad_is_static(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic pad by constant amounts is a pad."""
    amounts = all_known(map(constant_ints, op.operands[2:]))
    if amounts is None:
        return False
    attributes = dict(zip(PADDING, amounts, strict=True))
    operands = op.operands[:2]
    if operands[0].tensor.static_shape is None or op.results[0].tensor.static_shape is not None:
        return rewriter.rewrite_as(op, "pad", operands, attributes)
    return _refine(op, rewriter, "pad", operands, attributes, None)


@pattern(PATTERNS, "dynamic_conv", folds=True)
def dynamic_conv_is_static(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic convolution of constant padding is a convolution."""
    padding = constant_array(op.operands[2])
    if padding is None:
        return False
    attributes = {**inherent_attributes(op), "padding": from_numpy(padding.astype(np.int64))}
    return rewriter.rewrite_as(op, "convolution", op.operands[:2], attributes)


@pattern(PATTERNS, "real_dynamic_slice", folds=True, needs=plain)
def real_dynamic_slice_is_slice(op: Op, rewriter: Rewriter) -> bool:
    """A real dynamic slice by constants is a slice."""
    bounds = all_known(map(constant_ints, op.operands[1:]))
    if bounds is None:
        return False
    operands, attributes = op.operands[:1], slice_attributes(*bounds)
    if op.results[0].tensor.static_shape is not None:
        return rewriter.rewrite_as(op, "slice", operands, attributes)
    return _refine(op, rewriter, "slice", operands, attributes, None)


@pattern(PATTERNS, "real_dynamic_slice", needs=plain)
def real_dynamic_slice_is_dynamic_slice(op: Op, rewriter: Rewriter) -> bool:
    """A real dynamic slice of unit strides whose limits are its starts plus a constant is a dynamic slice."""
    operand, start_indices, limit_indices, strides = op.operands
    steps = constant_ints(strides)
    limit = defining_op(limit_indices, "add")
    if steps is None or any(step != 1 for step in steps) or limit is None or start_indices not in limit.operands:
        return False
    other = limit.operands[1] if limit.operands[0] == start_indices else limit.operands[0]
    sizes = constant_ints(other)
    type_ = start_indices.tensor.ranked
    if sizes is None or (type_ is not None and isinstance(type_.element_type, ir.IndexType)):
        return False
    scalar_type = with_shape(start_indices.type, [])
    starts: list[Value] = []
    for dimension in range(len(sizes)):
        piece = rewriter.create("slice", [start_indices], _element_at(dimension), before=op)
        starts += rewriter.create("reshape", piece.results, before=op, result=scalar_type).results
    return _refine(op, rewriter, "dynamic_slice", [operand, *starts], {"slice_sizes": sizes}, None)


def _element_at(position: int) -> dict[str, list[int]]:
    """Return the attributes of a slice of one element of a list."""
    return slice_attributes([position], [position + 1], [1])


def known_type(shape_operand: Value, result: Value) -> ir.Type | None:
    """Return the type of a static result, or the type of the shape in a constant operand if it fits the result's type
    without bounds."""
    if result.tensor.static_shape is not None:
        return result.type
    shape = constant_ints(shape_operand)
    if shape is None or not result.tensor.has_no_encoding:
        return None
    declared = result.tensor.shape
    fits = len(shape) == len(declared) and all(
        size >= 0 and (dimension_size < 0 or dimension_size == size)
        for size, dimension_size in zip(shape, declared, strict=True)
    )
    return with_shape(result.type, shape) if fits else None
