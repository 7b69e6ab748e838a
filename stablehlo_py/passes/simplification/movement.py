"""Reshapes, transpositions, broadcasts and reversals: chains become one op, and ops that move nothing go."""

from __future__ import annotations

from ...bindings.attributes import int_of
from ..matching import ints, splat_value, with_shape
from ..rewriting import Pattern, Rewriter, pattern, plain
from ..snapshot.parts import Op

PATTERNS: list[Pattern] = []


@pattern(PATTERNS, "broadcast_in_dim")
def broadcast_of_nothing(op: Op, rewriter: Rewriter) -> bool:
    """A broadcast to the operand's own type, with the dimensions in order, gives the operand."""
    dims = ints(op, "broadcast_dimensions")
    return dims == list(range(len(dims))) and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "broadcast_in_dim", benefit=2, of={0: "broadcast_in_dim"}, needs=plain)
def broadcast_of_broadcast(op: Op, rewriter: Rewriter) -> bool:
    """broadcast(broadcast(x, A), B) = broadcast(x, B after A), unless the inner one is a reshape in disguise: that
    one costs nothing, and the outer broadcast stays a simple one."""
    inner = op.source(0)
    inner_dims, outer_dims = ints(inner, "broadcast_dimensions"), ints(op, "broadcast_dimensions")
    if inner_dims == sorted(inner_dims) and _keeps_elements(inner):
        return False
    merged = [outer_dims[dim] for dim in inner_dims]
    return rewriter.rewrite_as(op, "broadcast_in_dim", [inner.operands[0]], {"broadcast_dimensions": merged})


@pattern(PATTERNS, "broadcast_in_dim", benefit=2, needs=plain)
def broadcast_is_reshape(op: Op, rewriter: Rewriter) -> bool:
    """A broadcast that keeps the order of the dimensions and the number of elements is a reshape."""
    operand, dims = op.operands[0], ints(op, "broadcast_dimensions")
    if operand.type == op.results[0].type or not _keeps_elements(op) or dims != sorted(dims):
        return False
    return rewriter.rewrite_as(op, "reshape", [operand])


@pattern(PATTERNS, "broadcast_in_dim", needs=plain)
def broadcast_is_transpose(op: Op, rewriter: Rewriter) -> bool:
    """A broadcast that only permutes the dimensions is a transposition."""
    operand, dims = op.operands[0], ints(op, "broadcast_dimensions")
    operand_shape, shape = operand.tensor.static_shape, op.results[0].tensor.static_shape
    if operand_shape is None or shape is None or len(operand_shape) != len(shape):
        return False
    if any(shape[dim] != size for dim, size in zip(dims, operand_shape, strict=True)):
        return False
    permutation = sorted(range(len(dims)), key=dims.__getitem__)  # the inverse of a permutation
    return rewriter.rewrite_as(op, "transpose", [operand], {"permutation": permutation})


def _keeps_elements(op: Op) -> bool:
    """Whether operand and result are static and have equally many elements, in types without encoding."""
    operand, result = op.operands[0], op.results[0]
    count = operand.tensor.count
    return (
        operand.tensor.has_no_encoding
        and result.tensor.has_no_encoding
        and count is not None
        and count == result.tensor.count
    )


@pattern(PATTERNS, "reshape")
def reshape_to_same_shape(op: Op, rewriter: Rewriter) -> bool:
    """A reshape to the operand's own type gives the operand."""
    return rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "reshape", of={0: "reshape"}, needs=plain)
def reshape_of_reshape(op: Op, rewriter: Rewriter) -> bool:
    """reshape(reshape(x)) = reshape(x)."""
    return rewriter.rewrite_as(op, "reshape", op.source(0).operands)


@pattern(PATTERNS, "reshape", "reverse", "slice", "transpose", of={0: "broadcast_in_dim"})
def rearranged_broadcast_of_scalar(op: Op, rewriter: Rewriter) -> bool:
    """Any part of a broadcast 0-d tensor, in any order, is a broadcast of that tensor."""
    (scalar,), result = op.source(0).operands, op.results[0].tensor
    if scalar.tensor.static_shape != () or result.static_shape is None or not result.has_no_encoding:
        return False
    return rewriter.rewrite_as(op, "broadcast_in_dim", [scalar], {"broadcast_dimensions": []})


@pattern(PATTERNS, "transpose")
def transpose_in_order(op: Op, rewriter: Rewriter) -> bool:
    """A transposition that leaves the dimensions in order gives the operand."""
    permutation = ints(op, "permutation")
    return permutation == sorted(permutation) and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "transpose", of={0: "transpose"})
def transpose_of_transpose(op: Op, rewriter: Rewriter) -> bool:
    """transpose(transpose(x, P), Q) = transpose(x, P after Q)."""
    inner = op.source(0)
    inner_permutation = ints(inner, "permutation")
    merged = [inner_permutation[dim] for dim in ints(op, "permutation")]
    return rewriter.rewrite_as(op, "transpose", [inner.operands[0]], {"permutation": merged})


@pattern(PATTERNS, "transpose", of={0: "broadcast_in_dim"}, needs=plain)
def transpose_of_broadcast(op: Op, rewriter: Rewriter) -> bool:
    """transpose(broadcast(x, D), P) = broadcast(x, P⁻¹ after D), if nothing else uses the inner broadcast.

    A broadcast has no unknown sizes without bounds."""
    result = op.results[0].tensor
    if not op.operands[0].has_one_use or (result.static_shape is None and result.has_no_encoding):
        return False
    inner = op.source(0)
    permutation = ints(op, "permutation")
    dims = [permutation.index(dim) for dim in ints(inner, "broadcast_dimensions")]
    return rewriter.rewrite_as(op, "broadcast_in_dim", [inner.operands[0]], {"broadcast_dimensions": dims})


@pattern(PATTERNS, "transpose", needs=plain)
def transpose_is_reshape(op: Op, rewriter: Rewriter) -> bool:
    """A transposition that leaves the dimensions of more than one element in order is a reshape."""
    operand = op.operands[0]
    shape = operand.tensor.static_shape
    if shape is None or op.results[0].tensor.static_shape is None:
        return False
    moved = [dim for dim in ints(op, "permutation") if shape[dim] != 1]
    if moved != sorted(moved):
        return False
    return rewriter.rewrite_as(op, "reshape", [operand])


@pattern(PATTERNS, "reverse")
def reverse_nothing(op: Op, rewriter: Rewriter) -> bool:
    """Reversing no dimension, dimensions of one element, or a tensor of no or equal elements gives the operand."""
    operand, dims, shape = op.operands[0], ints(op, "dimensions"), op.operands[0].tensor.static_shape
    moves = shape is None or (0 not in shape and any(shape[dim] != 1 for dim in dims))
    if dims and moves and splat_value(operand) is None:
        return False
    return rewriter.forward(op, operand)


@pattern(PATTERNS, "reverse", of={0: "reverse"})
def reverse_of_reverse(op: Op, rewriter: Rewriter) -> bool:
    """reverse(reverse(x, A), B) reverses the dimensions that are in one of A and B."""
    inner = op.source(0)
    dims = sorted(set(ints(op, "dimensions")) ^ set(ints(inner, "dimensions")))
    return rewriter.rewrite_as(op, "reverse", [inner.operands[0]], {"dimensions": dims})


@pattern(PATTERNS, "iota", folds=True, needs=lambda element: element.has_zero)
def iota_of_one(op: Op, rewriter: Rewriter) -> bool:
    """Counting along a dimension of one element gives zeros."""
    shape = op.results[0].tensor.static_shape
    if shape is None or shape[int_of(op.attributes["iota_dimension"])] != 1:
        return False
    return rewriter.replace(op, [rewriter.constant(0, op.results[0].type, before=op)])


@pattern(PATTERNS, "iota", needs=plain)
def iota_is_broadcast(op: Op, rewriter: Rewriter) -> bool:
    """Counting along one of several dimensions is counting, broadcast along the others."""
    shape = op.results[0].tensor.static_shape
    if shape is None or len(shape) < 2 or not op.results[0].tensor.has_no_encoding:
        return False
    dimension = int_of(op.attributes["iota_dimension"])
    line = rewriter.create(
        "iota", [], {"iota_dimension": 0}, before=op, result=with_shape(op.results[0].type, [shape[dimension]])
    )
    return rewriter.rewrite_as(op, "broadcast_in_dim", [line.results[0]], {"broadcast_dimensions": [dimension]})
