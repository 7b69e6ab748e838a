"""Ops that read and write at positions that other tensors hold."""

from __future__ import annotations

from ..language import DType, GatherDimensionNumbers, ScatterDimensionNumbers, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import all_same, check_dimension, check_dimensions, product, without


def index_batch(
    operand: Shape, indices: Shape, index_vector_dim: int, mapped: list[int], batching: list[int], other: list[int]
) -> Shape:
    """The sizes of the indices without their vectors, which have an element for each dimension that is mapped. Batching
    dimensions agree with those of the operand."""
    count = indices[index_vector_dim] if index_vector_dim < len(indices) else 1
    assert count == len(mapped), f"an index vector has {count} elements, {len(mapped)} dimensions are indexed"
    for i in range(len(batching)):
        left = operand[batching[i]]
        right = indices[other[i]]
        assert left == right, f"batching dimension {i} differs, it is {left} in the operand and {right} in the indices"
    return without(indices, [index_vector_dim])


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
    ErrorInvocation("3x4xf32", "2xi64", slice_sizes=[2, 4], match="at most 1"),
    dimension_numbers=GatherDimensionNumbers([1], [0], [], [], [0], 1),
    indices_are_sorted=False,
)
def gather(
    operand: Shape, start_indices: Shape, dimension_numbers: GatherDimensionNumbers, slice_sizes: list[int]
) -> Shape:
    """Offset dimensions from the slices, batch dimensions from the indices (C1 to C5, C9, C10, C12, C17 to C22). Spec:
    gather."""
    numbers = dimension_numbers
    offset_dims = numbers.offset_dims
    gone = numbers.collapsed_slice_dims + numbers.operand_batching_dims
    assert len(slice_sizes) == len(operand), f"{len(slice_sizes)} slice_sizes are given for rank {len(operand)}"
    assert len(operand) == len(offset_dims) + len(gone), (
        f"the operand has rank {len(operand)}, offset, collapsed and batching dimensions have other numbers"
    )
    check_dimensions(gone, len(operand))
    for i in range(len(operand)):
        assert slice_sizes[i] >= 0, f"slice size {slice_sizes[i]} of dimension {i} is negative"
        assert slice_sizes[i] <= operand[i], f"slice size {slice_sizes[i]} of dimension {i} is beyond {operand[i]}"
        assert slice_sizes[i] <= 1 or i not in gone, f"slice size {slice_sizes[i]} of dimension {i} has to be at most 1"
    offsets = without(slice_sizes, gone)
    batch = index_batch(
        operand,
        start_indices,
        numbers.index_vector_dim,
        numbers.start_index_map,
        numbers.operand_batching_dims,
        numbers.start_indices_batching_dims,
    )
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
    ErrorInvocation(["5x4xf32"], "2x1xi64", ["3x4xf32"], returns="5x4xf32", match="updates is 3, of the indices 2"),
    ErrorInvocation(["5x4xf32"], "2x1xi64", ["2x5xf32"], returns="5x4xf32", match="updates is 5, beyond 4"),
    ErrorInvocation(["5x4xf32"], "2x3xi64", ["2x4xf32"], returns="5x4xf32", match="3 elements, 1 dimensions"),
    scatter_dimension_numbers=ScatterDimensionNumbers([1], [0], [], [], [0], 1),
    indices_are_sorted=False,
    unique_indices=False,
)
def scatter(
    inputs: list[Shape],
    scatter_indices: Shape,
    updates: list[Shape],
    scatter_dimension_numbers: ScatterDimensionNumbers,
) -> list[Shape]:
    """The shapes of the inputs, which all have the same, as all updates have (C1 to C4, C18, C19, C24). Spec:
    scatter."""
    shape = all_same(inputs)
    update = all_same(updates)
    numbers = scatter_dimension_numbers
    gone = numbers.inserted_window_dims + numbers.input_batching_dims
    known = len(numbers.update_window_dims) + len(gone)
    assert known == len(shape), (
        f"the inputs have rank {len(shape)}, their window, inserted and batching dimensions are {known}"
    )
    batch = index_batch(
        shape,
        scatter_indices,
        numbers.index_vector_dim,
        numbers.scatter_dims_to_operand_dims,
        numbers.input_batching_dims,
        numbers.scatter_indices_batching_dims,
    )
    windows = without(shape, gone)
    rank = len(batch) + len(windows)
    assert len(update) == rank, f"the updates have rank {len(update)}, indices and windows give {rank}"
    taken = 0
    for i in range(rank):
        if i in numbers.update_window_dims:
            assert update[i] <= windows[taken], f"dimension {i} of the updates is {update[i]}, beyond {windows[taken]}"
            taken += 1
        else:
            size = batch[i - taken]
            assert update[i] == size, f"dimension {i} of the updates is {update[i]}, of the indices {size}"
    return inputs


@dtype_function("stablehlo.scatter")
def scatter_dtype(update_computation: list[DType]) -> list[DType]:
    """The element types that the update computation returns (C25). Spec: scatter."""
    return update_computation


@shape_function("stablehlo.torch_index_select")
@cases(
    Invocation("5x4x3xf32", "2xi32", dim=1, batch_dims=0, returns="5x2x3xf32"),
    Invocation("5x4x3xf32", "5x2xi32", dim=1, batch_dims=1, returns="5x2x3xf32"),
)
def torch_index_select(operand: Shape, index: Shape, dim: int, batch_dims: int) -> Shape:
    """The operand's shape with `dim` replaced by the index's dimensions after its batch dimensions. Deprecated."""
    check_dimension(dim, len(operand))
    assert batch_dims <= len(index), f"there are {batch_dims} batch dimensions, the index has rank {len(index)}"
    for i in range(batch_dims):
        assert operand[i] == index[i], f"batch dimension {i} is {operand[i]} in the operand and {index[i]} in the index"
    assert operand[dim] > 0 or product(index) == 0, f"dimension {dim} of the operand has no elements to select"
    return operand[:dim] + index[batch_dims:] + operand[dim + 1 :]
