"""Slices, pads, concatenations, updates and gathers whose positions are known."""

from __future__ import annotations

from ...bindings import stablehlo_extension
from ...bindings.attributes import int_of
from ..matching import all_known, constant_int, constant_ints, defining_op, ints, with_shape
from ..rewriting import Pattern, Rewriter, pattern, plain
from ..snapshot.parts import Op, Value

PATTERNS: list[Pattern] = []
PADDING: tuple[str, ...] = ("edge_padding_low", "edge_padding_high", "interior_padding")
"""The attributes of a pad."""


def slice_attributes(start: list[int], limit: list[int], strides: list[int]) -> dict[str, list[int]]:
    """The attributes of a slice."""
    return {"start_indices": start, "limit_indices": limit, "strides": strides}


@pattern(PATTERNS, "slice")
def slice_of_everything(op: Op, rewriter: Rewriter) -> bool:
    """A slice as large as the operand, of static shape, is the operand."""
    return op.operands[0].tensor.static_shape is not None and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "slice", of={0: "slice"}, needs=plain)
def slice_of_slice(op: Op, rewriter: Rewriter) -> bool:
    """slice(slice(x)) is a slice of x: starts and strides of the outer one count in strides of the inner one."""
    inner, shape = op.source(0), op.results[0].tensor.static_shape
    if shape is None or 0 in shape:
        return False
    inner_start, inner_strides = ints(inner, "start_indices"), ints(inner, "strides")
    outer_start, outer_strides = ints(op, "start_indices"), ints(op, "strides")
    start = [i + o * s for i, o, s in zip(inner_start, outer_start, inner_strides, strict=True)]
    strides = [i * o for i, o in zip(inner_strides, outer_strides, strict=True)]
    limit = [first + (n - 1) * step + 1 for first, n, step in zip(start, shape, strides, strict=True)]
    return rewriter.rewrite_as(op, "slice", [inner.operands[0]], slice_attributes(start, limit, strides))


@pattern(PATTERNS, "slice", of={0: "concatenate"})
def slice_of_concatenate(op: Op, rewriter: Rewriter) -> bool:
    """A slice of a concatenation takes only the operands that it reaches: one of them, or several where nothing else
    uses the concatenation, which is then made of fewer."""
    concatenate = op.source(0)
    if op.results[0].tensor.static_shape is None or op.results[0].tensor.count == 0:
        return False
    dimension = int_of(concatenate.attributes["dimension"])
    start, limit = ints(op, "start_indices"), ints(op, "limit_indices")
    needed: list[Value] = []
    offset, first_offset = 0, 0
    for operand in concatenate.operands:
        size = operand.tensor.shape[dimension]
        if size < 0:
            return False
        if offset < limit[dimension] and offset + size > start[dimension] and size > 0:
            first_offset = offset if not needed else first_offset
            needed.append(operand)
        offset += size
    if not needed or len(needed) == len(concatenate.operands):
        return False
    if len(needed) > 1 and not op.operands[0].has_one_use:
        return False
    source = needed[0]
    if len(needed) > 1:
        attributes = {"dimension": concatenate.attributes["dimension"]}
        source = rewriter.create("concatenate", needed, attributes, before=op).results[0]
    start[dimension] -= first_offset
    limit[dimension] -= first_offset
    return rewriter.rewrite_as(op, "slice", [source], slice_attributes(start, limit, ints(op, "strides")))


@pattern(PATTERNS, "concatenate")
def concatenate_one(op: Op, rewriter: Rewriter) -> bool:
    """The concatenation of one tensor is that tensor."""
    return len(op.operands) == 1 and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "concatenate")
def concatenate_with_empty(op: Op, rewriter: Rewriter) -> bool:
    """Operands of size 0 along the dimension add nothing. One other operand must remain."""
    dimension = int_of(op.attributes["dimension"])
    needed = [operand for operand in op.operands if operand.tensor.shape[dimension] != 0]
    if not needed or len(needed) == len(op.operands):
        return False
    return rewriter.rewrite_as(op, "concatenate", needed, {"dimension": op.attributes["dimension"]})


@pattern(PATTERNS, "concatenate")
def concatenate_of_concatenate(op: Op, rewriter: Rewriter) -> bool:
    """concatenate(concatenate(x, y), z) = concatenate(x, y, z) along one dimension, however deep, where nothing else
    uses the inner concatenations."""
    flat: list[Value] = []
    pending = op.operands[::-1]
    while pending:
        operand = pending.pop()
        inner = defining_op(operand, "concatenate")
        if inner is not None and inner.attributes["dimension"] == op.attributes["dimension"] and operand.has_one_use:
            pending += reversed(inner.operands)
        else:
            flat.append(operand)
    if flat == op.operands:
        return False
    return rewriter.rewrite_as(op, "concatenate", flat, {"dimension": op.attributes["dimension"]})


@pattern(PATTERNS, "pad")
def pad_with_nothing(op: Op, rewriter: Rewriter) -> bool:
    """Padding by zero everywhere gives the operand."""
    return not any(any(ints(op, name)) for name in PADDING) and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "pad")
def pad_of_empty(op: Op, rewriter: Rewriter) -> bool:
    """Padding a tensor of no elements broadcasts the padding value."""
    result = op.results[0]
    if op.operands[0].tensor.count != 0 or result.tensor.static_shape is None or not result.tensor.has_no_encoding:
        return False
    return rewriter.rewrite_as(op, "broadcast_in_dim", [op.operands[1]], {"broadcast_dimensions": []})


@pattern(PATTERNS, "pad", of={0: "pad"})
def pad_of_pad(op: Op, rewriter: Rewriter) -> bool:
    """pad(pad(x, v), v) pads x once, by the sums: without interior padding, and unless the inner one cuts off
    elements, which the outer one would replace by padding."""
    inner = op.source(0)
    if inner.operands[1] != op.operands[1] or not op.operands[0].has_one_use:
        return False
    outer_amounts, inner_amounts = [[ints(pad, name) for name in PADDING] for pad in (op, inner)]
    if any(outer_amounts[2]) or any(inner_amounts[2]) or any(min(edge, default=0) < 0 for edge in inner_amounts):
        return False
    shape, limits = inner.operands[0].tensor.static_shape, op.results[0].tensor.static_shape
    if shape is None or limits is None or 0 in shape or 0 in limits:
        return False
    sums = [[a + b for a, b in zip(*both, strict=True)] for both in zip(inner_amounts, outer_amounts, strict=True)]
    attributes = dict(zip(PADDING, sums, strict=True))
    return rewriter.rewrite_as(op, "pad", [inner.operands[0], op.operands[1]], attributes)


def _clamped_slice(starts: list[int], shape: tuple[int, ...], sizes: list[int]) -> dict[str, list[int]]:
    """The attributes of a slice of these sizes at starts that are clamped so that it stays inside."""
    start = [min(max(start, 0), whole - size) for start, whole, size in zip(starts, shape, sizes, strict=True)]
    limit = [first + size for first, size in zip(start, sizes, strict=True)]
    return slice_attributes(start, limit, [1] * len(sizes))


@pattern(PATTERNS, "dynamic_slice")
def dynamic_slice_of_everything(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic slice as large as its operand is the operand: starts are clamped to 0."""
    return op.operands[0].tensor.static_shape is not None and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "dynamic_slice", of={1: "constant"}, folds=True)
def dynamic_slice_is_slice(op: Op, rewriter: Rewriter) -> bool:
    """A dynamic slice at constant starts is a slice, at those starts clamped so that it stays inside."""
    operand, *start_indices = op.operands
    shape, starts = operand.tensor.static_shape, all_known(map(constant_int, start_indices))
    if shape is None or starts is None:
        return False
    return rewriter.rewrite_as(op, "slice", [operand], _clamped_slice(starts, shape, ints(op, "slice_sizes")))


@pattern(PATTERNS, "dynamic_update_slice")
def update_nothing(op: Op, rewriter: Rewriter) -> bool:
    """Updating with a tensor of no elements gives the operand."""
    return op.operands[1].tensor.count == 0 and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "dynamic_update_slice")
def update_everything(op: Op, rewriter: Rewriter) -> bool:
    """Updating with a tensor as large as the operand gives the update: starts are clamped to 0."""
    operand, update, *_ = op.operands
    is_whole = operand.tensor.static_shape is not None and operand.type == update.type
    return is_whole and rewriter.forward(op, update)


@pattern(PATTERNS, "gather", of={1: "constant"}, needs=plain)
def gather_is_slice(op: Op, rewriter: Rewriter) -> bool:
    """A gather at one constant position is a slice there, clamped so that it stays inside, without the collapsed
    dimensions."""
    operand, start_indices = op.operands
    shape, positions = operand.tensor.static_shape, start_indices.tensor.ranked
    if shape is None or positions is None or positions.rank > 1:
        return False
    if not op.results[0].tensor.has_no_encoding or op.results[0].tensor.static_shape is None:
        return False
    numbers = stablehlo_extension.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    index = constant_ints(start_indices)
    if index is None or numbers.index_vector_dim != 0 or len(index) != len(numbers.start_index_map):
        return False
    if list(numbers.operand_batching_dims):
        return False
    sizes = ints(op, "slice_sizes")
    starts = [0] * len(sizes)
    for dimension, position in zip(numbers.start_index_map, index, strict=True):
        starts[dimension] = position
    attributes = _clamped_slice(starts, shape, sizes)
    if not list(numbers.collapsed_slice_dims):
        return rewriter.rewrite_as(op, "slice", [operand], attributes)
    piece = rewriter.create("slice", [operand], attributes, before=op, result=with_shape(operand.type, sizes))
    return rewriter.rewrite_as(op, "reshape", [piece.results[0]])
