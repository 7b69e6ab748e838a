"""Scatters without grids of indices, a box of one window or a chunk of updates at a time; gathers of rows by numpy.

Replaces scatter, and gather of whole slices at one index each, as of embeddings. Gains: `scatter add 100k rows`, 100 x;
`a.at[i].set in a loop` of `benchmarks/growth.py`, 10 x; `gather 100k rows` of `benchmarks/interpreter.py`, 6 x.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import ml_dtypes
import numpy as np

from ...bindings.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from ..op import Kernel, Op, RegionFacts
from ..ops.bodies import EXTREMES, NUMPY_TYPES, UFUNCS, Array, Arrays, as_arguments, as_result, on_arrays
from ..ops.slicing import as_indices
from .ownership import owned
from .plans import DonatingKernel, FastBody, is_large
from .reading import accelerates

_CHUNK = 1 << 18
"""The number of updates that are placed at a time, which bounds the memory that their indices take."""

_MANY_UPDATES = 1 << 8
"""The least number of updates for which elements at one index of all windows are updated together."""
_LARGEST_WINDOW = 64
"""The elements of a window that are updated one after the other, each in all windows at once."""
_AT_TYPES = NUMPY_TYPES | {np.dtype(ml_dtypes.bfloat16)}


def _index_vectors(indices: Array, index_vector_dim: int) -> np.ndarray:
    """Return start_indices as int64 with the index vectors along the last axis."""
    vectors = as_indices(indices)
    if index_vector_dim == vectors.ndim:
        return vectors[..., np.newaxis]
    return vectors if index_vector_dim == vectors.ndim - 1 else np.moveaxis(vectors, index_vector_dim, -1)


def _batching_index(batch_shape: Sequence[int], start_dim: int, index_vector_dim: int) -> np.ndarray:
    """Return batch_index[start_dim - (start_dim < index_vector_dim ? 0 : 1)], broadcastable to batch_shape."""
    axis = start_dim - (start_dim >= index_vector_dim)
    shape = [1] * len(batch_shape)
    shape[axis] = batch_shape[axis]
    return np.arange(batch_shape[axis]).reshape(shape)


def _rounds(indices: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the positions in `indices` in rounds. The k-th round holds the k-th occurrence of each index."""
    order = np.argsort(indices, kind="stable")
    ordered = indices[order]
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    firsts = np.flatnonzero(is_first)
    occurrence = np.arange(len(ordered)) - np.repeat(firsts, np.diff(firsts, append=len(ordered)))
    by_occurrence = np.argsort(occurrence, kind="stable")
    yield from np.split(order[by_occurrence], np.cumsum(np.bincount(occurrence))[:-1])


def update_at(body: FastBody, facts: RegionFacts, results: Arrays, indices: np.ndarray, updates: Arrays) -> None:
    """results[i] = body(results[i], update) for each index and its update, in order, in place; all are flat."""
    if _replaces(body, len(updates)):
        for result, update in zip(results, updates, strict=True):
            result[indices] = update  # numpy lets the last one win
        return
    ufunc = UFUNCS.get(facts.sole_op) if len(results) == 1 and results[0].dtype in _AT_TYPES else None
    if ufunc is not None and ufunc not in EXTREMES:
        ufunc.at(results[0], indices, updates[0])
        return
    apply = on_arrays(body, facts, [result.dtype for result in results])
    for positions in _rounds(indices):
        at = indices[positions]
        updated = apply(*[result[at] for result in results], *[update[positions] for update in updates])
        for result, value in zip(results, updated, strict=True):
            result[at] = value


def _chunks(shape: tuple[int, ...]) -> Iterator[tuple[slice, ...]]:
    """Boxes of at most `_CHUNK` elements that make up an array of this shape, in major-to-minor order."""
    if math.prod(shape) <= _CHUNK:
        yield ()
        return
    axis = next((d for d in range(len(shape)) if math.prod(shape[d + 1 :]) <= _CHUNK), 0)
    step = max(_CHUNK // max(math.prod(shape[axis + 1 :]), 1), 1)
    for leading in np.ndindex(shape[:axis]):
        box = tuple([slice(i, i + 1) for i in leading])
        for start in range(0, shape[axis], step):
            yield (*box, slice(start, start + step))


@dataclass(frozen=True)
class _ScatteredDimension:
    """A dimension of the result that scatter_indices address."""

    component: int
    """The index in index vectors."""
    stride: int
    """The difference of flat indices of neighbours along the dimension."""
    size: int
    offsets: np.ndarray
    """full_window_index, broadcastable to updates."""


@dataclass(frozen=True)
class _ScatterLayout:
    """The parts of the flat indices of updates that follow from shapes."""

    scattered: tuple[_ScatteredDimension, ...]
    start_shape: tuple[int, ...]
    """The shape of updates with ones for the dimensions of the windows."""
    constant: np.ndarray
    """The part of the flat index from full_batching_index and full_window_index, broadcastable to updates."""
    window_dims: tuple[int, ...]
    """update_window_dims if windows are as large as the result, or of size one, in each dimension; else empty.

    Then an element of the result has the same index in all windows that contain it.
    """


def _scatter_layout(
    dims: ScatterDimensionNumbers, shape: tuple[int, ...], updates_shape: tuple[int, ...], batch_shape: tuple[int, ...]
) -> _ScatterLayout:
    rank = len(updates_shape)
    start_shape = tuple([1 if d in dims.update_window_dims else size for d, size in enumerate(updates_shape)])
    removed = {*dims.inserted_window_dims, *dims.input_batching_dims}
    window_dims = iter(dims.update_window_dims)
    constant = np.zeros((1,) * rank, np.int64)
    scattered: list[_ScatteredDimension] = []
    for d, size in enumerate(shape):
        stride = math.prod(shape[d + 1 :])
        offsets = np.zeros((1,) * rank, np.int64)
        if d not in removed:
            axis = next(window_dims)
            offsets = np.arange(updates_shape[axis]).reshape([-1 if a == axis else 1 for a in range(rank)])
            constant = constant + offsets * stride
        if d in dims.scatter_dims_to_operand_dims:
            component = dims.scatter_dims_to_operand_dims.index(d)
            scattered.append(_ScatteredDimension(component, stride, size, offsets))
        if d in dims.input_batching_dims:
            start_dim = dims.scatter_indices_batching_dims[dims.input_batching_dims.index(d)]
            batching = np.broadcast_to(_batching_index(batch_shape, start_dim, dims.index_vector_dim), batch_shape)
            constant = constant + batching.reshape(start_shape) * stride
    one_index = not dims.input_batching_dims and all(dimension.offsets.size == 1 for dimension in scattered)
    return _ScatterLayout(tuple(scattered), start_shape, constant, tuple(dims.update_window_dims) if one_index else ())


def _are_within(indices: np.ndarray, last: int) -> bool:
    """Whether 0 <= index <= last for all indices."""
    return not indices.size or bool(indices.min() >= 0 and indices.max() <= last)


class _ResultIndex:
    """The indices of the elements of updates in a flat result: result_index of scatter's paragraph in the spec."""

    def __init__(self, layout: _ScatterLayout, vectors: np.ndarray) -> None:
        self.layout = layout
        self.constant = layout.constant
        self.starts: np.ndarray | None = None
        """Return the part of the flat index from full_start_index, broadcastable to updates; None if it has none."""
        self.in_bounds: list[np.ndarray] = []
        """Conditions for elements in bounds, broadcastable to updates."""
        for dimension in layout.scattered:
            start = vectors[..., dimension.component].reshape(layout.start_shape)
            step = start if dimension.stride == 1 else start * dimension.stride
            self.starts = step if self.starts is None else self.starts + step
            if not _are_within(start, dimension.size - dimension.offsets.size):
                index = start + dimension.offsets
                self.in_bounds.append((index >= 0) & (index < dimension.size))

    def of_box(self, box: tuple[slice, ...], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray | None]:
        """For a box of updates, which has this shape, the flat index of each element, and which ones are in bounds:
        None for all."""

        def cut(part: np.ndarray) -> np.ndarray:
            if not box:
                return part
            sides = zip(part.shape, box, strict=False)  # the box leaves out dimensions taken whole
            return part[tuple([slice(None) if size == 1 else side for size, side in sides])]

        if self.starts is None:
            flat = cut(self.constant)
        else:  # a constant of one element, the first of every box, is zero
            flat = cut(self.starts) + cut(self.constant) if self.constant.size > 1 else cut(self.starts)
        flat = (flat if flat.shape == shape else np.broadcast_to(flat, shape)).reshape(-1)
        if not self.in_bounds:
            return flat, None
        mask = np.logical_and.reduce([np.broadcast_to(cut(condition), shape) for condition in self.in_bounds])
        return flat, mask.reshape(-1)

    def update_by_elements(self, body: FastBody, facts: RegionFacts, results: Arrays, updates: Arrays) -> None:
        """Update flat results in place, one element of the window after the other, each in all windows at once.

        For small windows with `window_dims`.
        """
        windows = math.prod(self.layout.start_shape)
        starts = np.zeros(windows, np.int64) if self.starts is None else self.starts.reshape(-1)
        mask = np.logical_and.reduce(self.in_bounds).reshape(-1) if self.in_bounds else None
        starts = starts if mask is None else starts[mask]
        dims = self.layout.window_dims
        for element in np.ndindex(tuple([updates[0].shape[d] for d in dims])):
            where = dict(zip(dims, element, strict=True))
            box = tuple([where.get(d, slice(None)) for d in range(updates[0].ndim)])
            offset = int(self.constant[tuple([where.get(d, 0) for d in range(updates[0].ndim)])])
            parts = [update[box].reshape(-1) for update in updates]
            parts = parts if mask is None else [part[mask] for part in parts]
            update_at(body, facts, tuple([result[offset:] for result in results]), starts, tuple(parts))


def _window_finder(op: Op, dims: ScatterDimensionNumbers) -> Callable[[Array], tuple[int | slice, ...] | None] | None:
    """Return what finds the only window in the inputs by scatter_indices, or None if it is not within bounds.

    Return None for a scatter of several windows, and if a shape is dynamic.
    """
    operand_type, updates_type = op.tensor_operand(0), op.tensor_operand(-1)
    if not operand_type.is_static or not updates_type.is_static:
        return None
    shape, sizes = operand_type.static_shape, updates_type.static_shape
    if math.prod([size for d, size in enumerate(sizes) if d not in dims.update_window_dims]) != 1:
        return None
    removed = {*dims.inserted_window_dims, *dims.input_batching_dims}
    window_sizes = iter([sizes[d] for d in dims.update_window_dims])
    components = {d: component for component, d in enumerate(dims.scatter_dims_to_operand_dims)}
    window_shape = [None if d in removed else next(window_sizes) for d in range(len(shape))]
    lasts = [size - (1 if part is None else part) for size, part in zip(shape, window_shape, strict=True)]
    parts = [(components.get(d), window_shape[d], lasts[d]) for d in range(len(shape))]

    def window_at(scatter_indices: Array) -> tuple[int | slice, ...] | None:
        full_start_index: list[int] = scatter_indices.reshape(-1).tolist()
        window: list[int | slice] = []
        for component, size, last in parts:
            start = 0 if component is None else full_start_index[component]
            if not 0 <= start <= last:
                return None
            window.append(start if size is None else slice(start, start + size))
        return tuple(window)

    return window_at


def _replaces(body: FastBody, count: int) -> bool:
    """Whether the body returns its `count` updates."""
    return not body.plan.steps and body.plan.returns == body.plan.inputs[-count:]


def _update_window(body: FastBody, results: Arrays, window: Any, updates: Sequence[Array]) -> None:
    """Update one window of the results by an elementwise body."""
    parts = [result[window] for result in results]
    values = [update.reshape(part.shape)[()] for update, part in zip(updates, parts, strict=True)]
    if not _replaces(body, len(updates)):
        values = body.on_arrays(*parts, *values)
    for result, value in zip(results, values, strict=True):
        result[window] = value


@accelerates("stablehlo.scatter")
def scatter(op: Op, _: Kernel) -> Kernel:
    """Update the windows of the inputs at scatter_indices by update_computation, in the order of the updates.

    Elements out of bounds are left out. Spec: scatter.
    """
    dims = ScatterDimensionNumbers.of(op.attribute("scatter_dimension_numbers"))
    facts = op.regions[0]
    count = len(op.operand_types) // 2
    window_at = _window_finder(op, dims) if facts.elementwise else None
    layout_of = lru_cache(8)(partial(_scatter_layout, dims))

    def take(operands: list[Any]) -> Any:
        body: FastBody = operands.pop(0)
        scatter_indices = operands.pop(count)
        operands[:] = as_arguments(operands, facts)
        updates = tuple(operands[count:])
        results = tuple([owned(operands, index) for index in range(count)])
        window = None if window_at is None else window_at(scatter_indices)
        if window is not None:
            _update_window(body, results, window, updates)
            return as_result(results)
        vectors = _index_vectors(scatter_indices, dims.index_vector_dim)
        layout, size = layout_of(results[0].shape, updates[0].shape, vectors.shape[:-1]), updates[0].size
        flat_results = tuple([result.reshape(-1) for result in results])
        result_index = _ResultIndex(layout, vectors)
        is_small_window = 1 < result_index.constant.size <= _LARGEST_WINDOW and layout.window_dims
        if is_small_window and size >= _MANY_UPDATES:
            result_index.update_by_elements(body, facts, flat_results, updates)
            return as_result(results)
        for box in _chunks(updates[0].shape):
            parts = [update[box] for update in updates] if box else updates
            indices, in_bounds = result_index.of_box(box, parts[0].shape)
            chunks = [part.reshape(-1) for part in parts]
            if in_bounds is not None:
                indices, chunks = indices[in_bounds], [chunk[in_bounds] for chunk in chunks]
            update_at(body, facts, flat_results, indices, tuple(chunks))
        return as_result(results)

    def kernel(*operands: Any) -> Any:
        return take(list(operands))

    return DonatingKernel(kernel, take) if is_large(op) else kernel


@accelerates("stablehlo.gather")
def gather(op: Op, _: Kernel) -> Kernel | None:
    """Take rows of operand: its elements at one index of a dimension, which the result lacks."""
    dims = GatherDimensionNumbers.of(op.attribute("dimension_numbers"))
    operand_type, sizes = op.tensor_operand(0), op.ints("slice_sizes")
    if not operand_type.is_static or len(dims.start_index_map) != 1 or dims.operand_batching_dims:
        return None
    shape, axis = operand_type.static_shape, dims.start_index_map[0]
    if tuple(dims.collapsed_slice_dims) != (axis,) or sizes != (*shape[:axis], 1, *shape[axis + 1 :]):
        return None

    offsets = dims.offset_dims
    batch_rank = op.tensor_result().rank - len(offsets)
    last = axis + batch_rank
    rest = [*range(axis), *range(last, last + len(offsets) - axis)]
    positions = iter(range(axis, last)), iter(rest)
    order = [next(positions[d in offsets]) for d in range(batch_rank + len(offsets))]

    def kernel(operand: Array, start_indices: Array) -> np.ndarray:
        starts = as_indices(start_indices)
        if dims.index_vector_dim < starts.ndim:
            starts = np.moveaxis(starts, dims.index_vector_dim, 0)[0]
        return operand.take(starts, axis=axis, mode="clip").transpose(order)

    return kernel
