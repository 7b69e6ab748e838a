"""Ops that cut out of tensors, put into them and pad them."""

from __future__ import annotations

from ..element_types import I32
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import check_dimension, check_start_indices

DYNAMIC_PADDING = ("f32", "1xi32", "1xi32", "1xi32")


@shape_function("stablehlo.pad", "stablehlo.dynamic_pad")
@cases(
    Invocation(
        "2x3xf32", "f32", edge_padding_low=[1, 0], edge_padding_high=[0, -1], interior_padding=[2, 0], returns="5x2xf32"
    ),
    Invocation("?xf32", "f32", edge_padding_low=[1], returns="?xf32"),
    Invocation("0xf32", "f32", edge_padding_low=[1], edge_padding_high=[1], interior_padding=[3], returns="2xf32"),
    ErrorInvocation("2xf32", "f32", interior_padding=[-1], match="interior_padding"),
    ErrorInvocation("2xf32", "f32", edge_padding_low=[-3], match="-1"),
    ErrorInvocation("2x3xf32", "f32", match="rank 2"),
    edge_padding_low=[0],
    edge_padding_high=[0],
    interior_padding=[0],
)
@cases(
    Invocation(
        "?xf32",
        *DYNAMIC_PADDING,
        values={"edge_padding_low": [1], "edge_padding_high": [2], "interior_padding": [0]},
        returns="?xf32",
    ),
    Invocation(
        "4xf32",
        *DYNAMIC_PADDING,
        values={"edge_padding_low": [1], "edge_padding_high": [2], "interior_padding": [1]},
        returns="10xf32",
    ),
    ops=["stablehlo.dynamic_pad"],
)
def pad(
    operand: Shape, edge_padding_low: list[int], edge_padding_high: list[int], interior_padding: list[int]
) -> Shape:
    """Each dimension size with the padding at its edges and between its elements (C2 to C4). Spec: dynamic_pad, pad."""
    assert len(edge_padding_low) == len(operand), (
        f"{len(edge_padding_low)} paddings are given for an operand of rank {len(operand)}"
    )
    result: Shape = []
    for i in range(len(operand)):
        assert interior_padding[i] >= 0, f"interior_padding must not be negative, it is {interior_padding[i]}"
        size = operand[i]
        if interior_padding[i] > 0:
            size += max(size - 1, 0) * interior_padding[i]
        size += edge_padding_low[i] + edge_padding_high[i]
        assert size >= 0, f"dimension {i} of the result would have size {size}"
        result.append(size)
    return result


@shape_function("stablehlo.slice")
@cases(
    Invocation("5x7xf32", start_indices=[1, 0], limit_indices=[4, 7], strides=[1, 3], returns="3x3xf32"),
    Invocation("?xf32", start_indices=[1], limit_indices=[4], strides=[2], returns="2xf32"),
    ErrorInvocation("5xf32", start_indices=[1], limit_indices=[6], strides=[1], match="limit 6 .* 5"),
    ErrorInvocation("5xf32", start_indices=[-1], limit_indices=[4], strides=[1], match="start -1"),
    ErrorInvocation("5xf32", start_indices=[3], limit_indices=[2], strides=[1], match="start 3 .* limit 2"),
    ErrorInvocation("5xf32", start_indices=[1], limit_indices=[4], strides=[0], match="stride"),
    ErrorInvocation("5x2xf32", start_indices=[1], limit_indices=[4], strides=[1], match="rank 2"),
)
def slice_(operand: Shape, start_indices: list[int], limit_indices: list[int], strides: list[int]) -> Shape:
    """The number of steps of the stride between start and limit (C2 to C5). Spec: slice."""
    assert len(start_indices) == len(operand), (
        f"{len(start_indices)} start_indices are given for an operand of rank {len(operand)}"
    )
    result: Shape = []
    for i in range(len(operand)):
        start = start_indices[i]
        limit = limit_indices[i]
        assert start >= 0, f"start {start} of dimension {i} is negative"
        assert start <= limit, f"start {start} of dimension {i} is beyond its limit {limit}"
        assert limit <= operand[i], f"limit {limit} of dimension {i} is beyond its size {operand[i]}"
        assert strides[i] > 0, f"the stride of dimension {i} has to be positive, it is {strides[i]}"
        result.append((limit - start + strides[i] - 1) // strides[i])
    return result


@shape_function("stablehlo.dynamic_slice")
@cases(
    Invocation("5x?xf32", ["i32", "i32"], slice_sizes=[2, 3], returns="2x3xf32"),
    ErrorInvocation("5xf32", ["i32"], slice_sizes=[6], match="size 6 .* 5"),
    ErrorInvocation("5xf32", ["i32"], slice_sizes=[-1], match="size -1"),
    ErrorInvocation("5xf32", ["i32", "i32"], slice_sizes=[1], match="2 start_indices"),
)
def dynamic_slice(operand: Shape, start_indices: list[Shape], slice_sizes: list[int]) -> Shape:
    """The sizes of the slice, none larger than the operand (C2, C4, C5). Spec: dynamic_slice."""
    rank = check_start_indices(start_indices, len(operand))
    assert len(slice_sizes) == rank, f"{len(slice_sizes)} sizes are given for rank {rank}"
    for i in range(rank):
        assert slice_sizes[i] >= 0, f"size {slice_sizes[i]} of dimension {i} is negative"
        assert slice_sizes[i] <= operand[i], f"size {slice_sizes[i]} of dimension {i} is beyond its size {operand[i]}"
    return slice_sizes


@shape_function("stablehlo.dynamic_update_slice")
@cases(
    Invocation("5x?xf32", "2x3xf32", ["i32", "i32"], returns="5x?xf32"),
    ErrorInvocation("5xf32", "6xf32", ["i32"], match="update is 6, .* 5"),
    ErrorInvocation("5xf32", "2x1xf32", ["i32"], match="rank"),
)
def dynamic_update_slice(operand: Shape, update: Shape, start_indices: list[Shape]) -> Shape:
    """The operand's shape, which the update fits into (C1, C3 to C6). Spec: dynamic_update_slice."""
    assert len(update) == len(operand), f"the update has rank {len(update)}, the operand rank {len(operand)}"
    for i in range(check_start_indices(start_indices, len(operand))):
        assert update[i] <= operand[i], f"dimension {i} of the update is {update[i]}, of the operand only {operand[i]}"
    return operand


@shape_function("stablehlo.get_dimension_size")
@cases(Invocation("2x?xf32", returns="i32"), ErrorInvocation("2xf32", match="dimension 1 is out of range"), dimension=1)
def get_dimension_size(operand: Shape, dimension: int) -> Shape:
    """A scalar (C1). Spec: get_dimension_size."""
    check_dimension(dimension, len(operand))
    return []


@dtype_function("stablehlo.get_dimension_size")
def get_dimension_size_dtype() -> DType:
    """A 32-bit integer. Spec: get_dimension_size."""
    return I32
