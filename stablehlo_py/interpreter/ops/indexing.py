"""Ops whose elements are addressed by tensors of indices: gather, scatter, torch_index_select."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...bindings.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from ..op import Body, Kernel, Op
from ..registry import evaluates
from ..settings import require_memory
from .bodies import Array, Arrays, OnArrays, as_arguments, as_result, on_arrays
from .slicing import as_indices, index_list


def index_vectors(indices: Array, index_vector_dim: int, at: Sequence[np.ndarray]) -> np.ndarray:
    """Return the components of the index vectors at the indices `at` of the others, components first."""
    vectors = as_indices(indices)
    vectors = vectors[..., np.newaxis] if index_vector_dim == vectors.ndim else vectors
    return np.moveaxis(vectors, index_vector_dim, 0)[(slice(None), *at)]


def batching_index(index: Sequence[np.ndarray], start_dim: int, index_vector_dim: int) -> np.ndarray:
    """Return the index along a batching dimension of the indices, which lack index_vector_dim."""
    return index[start_dim - (0 if start_dim < index_vector_dim else 1)]


def gather_array(
    operand: Array, start_indices: Array, dims: GatherDimensionNumbers, slice_sizes: Sequence[int]
) -> np.ndarray:
    """Return result[result_index] = operand[operand_index]. Spec: gather."""
    shape = gather_shape(start_indices, dims, slice_sizes)
    require_memory(shape, operand.dtype)
    result_index = np.indices(shape, sparse=True)
    batch_index = [index for d, index in enumerate(result_index) if d not in dims.offset_dims]
    offset_index = iter([result_index[d] for d in dims.offset_dims])
    start_index = index_vectors(start_indices, dims.index_vector_dim, batch_index)
    operand_index: list[Any] = []
    for d, size in enumerate(operand.shape):
        full_start_index: Any = 0
        full_batching_index: Any = 0
        if d in dims.start_index_map:
            component = start_index[dims.start_index_map.index(d)]
            full_start_index = np.clip(component, 0, size - slice_sizes[d])
        if d in dims.operand_batching_dims:
            start_dim = dims.start_indices_batching_dims[dims.operand_batching_dims.index(d)]
            full_batching_index = batching_index(batch_index, start_dim, dims.index_vector_dim)
        is_removed = d in dims.collapsed_slice_dims or d in dims.operand_batching_dims
        full_offset_index = 0 if is_removed else next(offset_index)
        operand_index.append(full_start_index + full_batching_index + full_offset_index)
    return np.broadcast_to(operand[tuple(operand_index)], shape)


def gather_shape(indices: Array, dims: GatherDimensionNumbers, slice_sizes: Sequence[int]) -> list[int]:
    """Return the result's shape: batch_dim_sizes and offset_dim_sizes where offset_dims says. Spec: gather, C22."""
    batch = iter([size for d, size in enumerate(indices.shape) if d != dims.index_vector_dim])
    removed = (*dims.collapsed_slice_dims, *dims.operand_batching_dims)
    offset = iter([size for d, size in enumerate(slice_sizes) if d not in removed])
    rank = indices.ndim - (dims.index_vector_dim < indices.ndim) + len(slice_sizes) - len(removed)
    return [next(offset if d in dims.offset_dims else batch) for d in range(rank)]


@evaluates("stablehlo.gather")
def gather(op: Op) -> Kernel:
    """Gather the slices of operand that start at start_indices, moved into bounds. Spec: gather."""
    dims = GatherDimensionNumbers.of(op.attribute("dimension_numbers"))
    slice_sizes = op.ints("slice_sizes")
    return lambda operand, start_indices: gather_array(operand, start_indices, dims, slice_sizes)


@evaluates("stablehlo.dynamic_gather")
def dynamic_gather(op: Op) -> Kernel:
    """Gather slices whose slice_sizes are an operand. Spec: dynamic_gather."""
    dims = GatherDimensionNumbers.of(op.attribute("dimension_numbers"))

    def kernel(operand: Array, start_indices: Array, slice_sizes: Array) -> np.ndarray:
        return gather_array(operand, start_indices, dims, index_list(slice_sizes))

    return kernel


@evaluates("stablehlo.torch_index_select")
def torch_index_select(op: Op) -> Kernel:
    """Take operand at index along dim, for each index of the first batch_dims dimensions, which both operands have.

    Indices are moved into bounds as gather does.
    """
    dim, batch_dims = op.int("dim"), op.int("batch_dims")

    def kernel(operand: Array, index: Array) -> Array:
        positions = as_indices(index).clip(0, operand.shape[dim] - 1)
        shape = (*operand.shape[:dim], *index.shape[batch_dims:], *operand.shape[dim + 1 :])
        result_index = np.indices(shape, sparse=True)
        last = dim + index.ndim - batch_dims
        position = positions[(*result_index[:batch_dims], *result_index[dim:last])]
        return operand[(*result_index[:dim], position, *result_index[last:])]

    return kernel


def occurrence(values: np.ndarray) -> np.ndarray:
    """Return for each value how many equal ones come before it."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    result = np.empty(len(values), np.int64)
    result[order] = np.arange(len(values)) - np.searchsorted(ordered, ordered)
    return result


def update_in_order(computation: OnArrays, inputs: Arrays, target: np.ndarray, updates: Sequence[Array]) -> Arrays:
    """Combine element target[i] of the flat inputs with updates[i], for i in order."""
    results = tuple([array.reshape(-1).copy() for array in inputs])
    turn = occurrence(target)
    for k in range(turn.max(initial=-1) + 1):
        at = turn == k  # different targets
        found = computation(*[result[target[at]] for result in results], *[update[at] for update in updates])
        for result, value in zip(results, found, strict=True):
            result[target[at]] = value
    return tuple([result.reshape(array.shape) for result, array in zip(results, inputs, strict=True)])


def scatter_index(
    shape: Sequence[int], scatter_indices: Array, updates_shape: Sequence[int], dims: ScatterDimensionNumbers
) -> list[Any]:
    """Return result_index for each index of updates, an array for each dimension of the result. Spec: scatter."""
    update_index = np.indices(updates_shape, sparse=True)
    update_scatter_index = [index for d, index in enumerate(update_index) if d not in dims.update_window_dims]
    update_window_index = iter([update_index[d] for d in dims.update_window_dims])
    start_index = index_vectors(scatter_indices, dims.index_vector_dim, update_scatter_index)
    result_index: list[Any] = []
    for d in range(len(shape)):
        full_start_index: Any = 0
        full_batching_index: Any = 0
        if d in dims.scatter_dims_to_operand_dims:
            full_start_index = start_index[dims.scatter_dims_to_operand_dims.index(d)]
        if d in dims.input_batching_dims:
            start_dim = dims.scatter_indices_batching_dims[dims.input_batching_dims.index(d)]
            full_batching_index = batching_index(update_scatter_index, start_dim, dims.index_vector_dim)
        is_inserted = d in dims.inserted_window_dims or d in dims.input_batching_dims
        full_window_index = 0 if is_inserted else next(update_window_index)
        result_index.append(full_start_index + full_batching_index + full_window_index)
    return result_index


@evaluates("stablehlo.scatter")
def scatter(op: Op) -> Kernel:
    """Update windows of inputs at scatter_indices, in the order of the updates; leave out what is out of bounds.

    Spec: scatter.
    """
    dims = ScatterDimensionNumbers.of(op.attribute("scatter_dimension_numbers"))
    facts = op.regions[0]
    count = len(op.operand_types) // 2

    def kernel(update_computation: Body, *operands: Array) -> Any:
        converted = as_arguments([*operands[:count], *operands[count + 1 :]], facts)
        inputs, updates = converted[:count], converted[count:]
        shape, updates_shape = inputs[0].shape, updates[0].shape
        target, in_bounds = np.zeros(updates_shape, np.int64), np.ones(updates_shape, np.bool_)
        for index, size in zip(scatter_index(shape, operands[count], updates_shape, dims), shape, strict=True):
            in_bounds &= (index >= 0) & (index < size)
            target = target * size + index
        computation = on_arrays(update_computation, facts, [array.dtype for array in inputs])
        return as_result(
            update_in_order(computation, inputs, target[in_bounds], [update[in_bounds] for update in updates])
        )

    return kernel
