"""Ops that read and write at positions that other tensors hold."""

from __future__ import annotations

from ..language import DType, GatherDimensionNumbers, ScatterDimensionNumbers, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import all_same, check_dimension, check_dimensions, without


@shape_function("stablehlo.gather")
@cases(
    Invocation(
        "3x4x2xf32",
        "2x3x2xi64",
        dimension_numbers=GatherDimensionNumbers([2, 3], [0], [], [], [1, 0], 2),
        slice_sizes=[1, 2, 2],
        returns="2x3x2x2xf32",
    ),
    Invocation("5x4xf32", "?xi64", slice_sizes=[1, 4], returns="?x4xf32"),
    ErrorInvocation("3x4xf32", "2xi64", slice_sizes=[1, 5], match="slice size 5 .* 4"),
    dimension_numbers=GatherDimensionNumbers([1], [0], [], [], [0], 1),
    indices_are_sorted=False,
)
def gather(
    operand: Shape, start_indices: Shape, dimension_numbers: GatherDimensionNumbers, slice_sizes: list[int]
) -> Shape:
    """Offset dimensions from the slices, batch dimensions from the indices (C1 to C5, C10, C12, C18 to C22). Spec:
    gather."""
    offset_dims = dimension_numbers.offset_dims
    gone = dimension_numbers.collapsed_slice_dims + dimension_numbers.operand_batching_dims
    assert len(slice_sizes) == len(operand), f"{len(slice_sizes)} slice_sizes are given for rank {len(operand)}"
    assert len(operand) == len(offset_dims) + len(gone), (
        f"the operand has rank {len(operand)}, offset, collapsed and batching dimensions have other numbers"
    )
    check_dimensions(gone, len(operand))
    for i in range(len(operand)):
        assert slice_sizes[i] >= 0, f"slice size {slice_sizes[i]} of dimension {i} is negative"
        assert slice_sizes[i] <= operand[i], f"slice size {slice_sizes[i]} of dimension {i} is beyond {operand[i]}"
    offsets = without(slice_sizes, gone)
    batch = without(start_indices, [dimension_numbers.index_vector_dim])
    result: Shape = []
    taken = 0
    for i in range(len(offsets) + len(batch)):
        if i in offset_dims:
            result.append(offsets[taken])
            taken += 1
        else:
            result.append(batch[i - taken])
    return result


@shape_function("stablehlo.scatter")
@cases(
    Invocation(["5x4xf32"], "2x1xi64", ["2x4xf32"], returns="5x4xf32"),
    ErrorInvocation(
        ["5x4xf32", "5x3xf32"], "2x1xi64", ["2x4xf32", "2x4xf32"], returns=["5x4xf32", "5x3xf32"], match="4 and 3"
    ),
    scatter_dimension_numbers=ScatterDimensionNumbers([1], [0], [], [], [0], 1),
    indices_are_sorted=False,
    unique_indices=False,
)
def scatter(
    inputs: list[Shape], updates: list[Shape], scatter_dimension_numbers: ScatterDimensionNumbers
) -> list[Shape]:
    """The shapes of the inputs, which all have the same, as all updates have (C1, C3, C24). Spec: scatter."""
    rank = len(all_same(inputs))
    all_same(updates)
    numbers = scatter_dimension_numbers
    known = len(numbers.update_window_dims) + len(numbers.inserted_window_dims) + len(numbers.input_batching_dims)
    assert known == rank, f"the inputs have rank {rank}, their window, inserted and batching dimensions are {known}"
    return inputs


@dtype_function("stablehlo.scatter")
def scatter_dtype(update_computation: list[DType]) -> list[DType]:
    """The element types that the update computation returns (C25). Spec: scatter."""
    return update_computation


@shape_function("stablehlo.torch_index_select")
@cases(Invocation("5x4x3xf32", "2xi32", dim=1, batch_dims=0, returns="5x2x3xf32"))
def torch_index_select(operand: Shape, index: Shape, dim: int, batch_dims: int) -> Shape:
    """The operand's shape with `dim` replaced by the index's dimensions after its batch dimensions. Deprecated."""
    check_dimension(dim, len(operand))
    assert batch_dims <= len(index), f"there are {batch_dims} batch dimensions, the index has rank {len(index)}"
    return operand[:dim] + index[batch_dims:] + operand[dim + 1 :]
