"""Gathers by flat takes, and scatters without grids of indices, a chunk of updates at a time.

Replaces gather, dynamic_gather and scatter. Gains: `gather 100k rows` and `scatter add 100k rows`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import ml_dtypes
import numpy as np

from ...bindings.attributes import GatherDims, ScatterDims
from ..acceleration import accelerates
from ..element_types.floats import flipped
from ..op import Body, Kernel, Op, RegionFacts
from ..ops.bodies import EXTREMES, NUMPY_TYPES, UFUNCS, Array, Arrays, as_arguments, as_result, on_arrays
from ..ops.indexing import dynamic_slice_sizes
from ..ops.slicing import as_indices
from ..settings import require_memory
from .few import FEW_PLACES, FEW_UPDATED
from .ownership import owned
from .plans import DonatingKernel, FastBody, is_large

_CHUNK = 1 << 18
"""The number of updates that are placed at a time, which bounds the memory that their indices take."""

_MANY_UPDATES = 1 << 8
"""From how many updates on elements at one place of all windows are updated together."""


def _index_vectors(indices: Array, index_vector_dim: int) -> np.ndarray:
    """start_indices as int64 with the index vectors along the last axis."""
    vectors = as_indices(indices)
    if index_vector_dim == vectors.ndim:
        return vectors[..., np.newaxis]
    return vectors if index_vector_dim == vectors.ndim - 1 else np.moveaxis(vectors, index_vector_dim, -1)


def _batching_index(batch_shape: Sequence[int], start_dim: int, index_vector_dim: int) -> np.ndarray:
    """batch_index[start_dim - (start_dim < index_vector_dim ? 0 : 1)], broadcastable to batch_shape."""
    axis = start_dim - (start_dim >= index_vector_dim)
    shape = [1] * len(batch_shape)
    shape[axis] = batch_shape[axis]
    return np.arange(batch_shape[axis]).reshape(shape)


@dataclass(frozen=True)
class _IndexedDimension:
    """A dimension of operand of which slices take a part: its index is clamp(start_index[component], 0, largest), or
    nothing for None, plus `constant`, which adds up full_batching_index and full_offset_index."""

    component: int | None
    largest: int
    constant: np.ndarray
    is_moved: bool
    """Whether the constant is more than zero."""


@dataclass(frozen=True)
class _GatherLayout:
    """The attributes and shapes of a gather."""

    indexed: tuple[_IndexedDimension, ...]
    source_order: tuple[int, ...]
    """operand's indexed dimensions, then those that slices take whole, which start at 0 whatever the index says."""
    start_shape: tuple[int, ...]
    """The shape of the batch, and a one for each indexed dimension of which more than one element is taken."""
    index_shape: tuple[int, ...]
    order: tuple[int, ...]
    shape: tuple[int, ...]
    """The result's dimensions and shape, in terms of those that indexing gives: index_shape, then whole dimensions."""


@lru_cache(256)
def _gather_layout(
    dims: GatherDims, slice_sizes: tuple[int, ...], operand_shape: tuple[int, ...], batch_shape: tuple[int, ...]
) -> _GatherLayout:
    rank = len(operand_shape)
    removed = {*dims.collapsed_slice_dims, *dims.operand_batching_dims}
    indexed = [d for d in range(rank) if slice_sizes[d] != operand_shape[d] or d in dims.operand_batching_dims]
    whole = [d for d in range(rank) if d not in indexed]
    sliced = [d for d in indexed if d not in removed]
    start_shape = batch_shape + (1,) * len(sliced)

    def dimension(d: int) -> _IndexedDimension:
        constant = np.zeros((1,) * len(start_shape), np.int64)
        if d in dims.operand_batching_dims:
            start_dim = dims.start_indices_batching_dims[dims.operand_batching_dims.index(d)]
            batching = _batching_index(batch_shape, start_dim, dims.index_vector_dim)
            constant = constant + batching.reshape(batching.shape + (1,) * len(sliced))
        if d in sliced:
            constant = constant + np.arange(slice_sizes[d]).reshape([-1 if other == d else 1 for other in sliced])
        component = dims.start_index_map.index(d) if d in dims.start_index_map else None
        return _IndexedDimension(component, operand_shape[d] - slice_sizes[d], constant, bool(constant.any()))

    kept = sliced + whole
    axes = {d: len(batch_shape) + position for position, d in enumerate(kept)}
    offset_axes = [axes[d] for d in sorted(kept) if d not in removed]
    order = _interleave(list(range(len(batch_shape))), offset_axes, dims.offset_dims)
    sizes = [*batch_shape, *[slice_sizes[d] for d in kept]]
    dropped = [axes[d] for d in kept if d in removed]  # of size one: collapsed dimensions that were taken whole
    return _GatherLayout(
        indexed=tuple(map(dimension, indexed)),
        source_order=tuple(indexed + whole),
        start_shape=start_shape,
        index_shape=(*batch_shape, *[slice_sizes[d] for d in sliced]),
        order=tuple(order + dropped),
        shape=tuple([sizes[axis] for axis in order]),
    )


def gather_array(operand: Array, start_indices: Array, dims: GatherDims, slice_sizes: tuple[int, ...]) -> np.ndarray:
    """The slices of operand that start at start_indices. Spec: gather."""
    vectors = _index_vectors(start_indices, dims.index_vector_dim)
    layout = _gather_layout(dims, slice_sizes, operand.shape, vectors.shape[:-1])
    require_memory(layout.shape, operand.dtype)
    index: list[np.ndarray] = []
    for dimension in layout.indexed:
        if dimension.component is None:
            index.append(dimension.constant)
            continue
        starts = np.asarray(np.maximum(vectors[..., dimension.component], 0))
        np.minimum(starts, dimension.largest, out=starts)
        places = starts.reshape(layout.start_shape)
        index.append(places + dimension.constant if dimension.is_moved else places)
    del vectors  # they may be as large as the index
    source = operand.transpose(layout.source_order)
    if not index:
        taken = np.broadcast_to(source, layout.index_shape + source.shape)
    elif len(index) == 1 and index[0].shape == layout.index_shape:
        taken = source.take(index[0], axis=0)
    else:
        taken = source[tuple([np.broadcast_to(places, layout.index_shape) for places in index])]
    return taken.transpose(layout.order).reshape(layout.shape)


def _interleave(batch: list[int], offset: list[int], offset_dims: Sequence[int]) -> list[int]:
    """One list with `offset` at the positions `offset_dims` and `batch` at the others."""
    batch_entries, offset_entries = iter(batch), iter(offset)
    return [next(offset_entries if d in offset_dims else batch_entries) for d in range(len(batch) + len(offset))]


@accelerates("stablehlo.gather")
def gather(op: Op, _: Kernel) -> Kernel:
    """The slices of operand that start at start_indices, moved into bounds. Spec: gather."""
    dims = GatherDims.of(op.attribute("dimension_numbers"))
    slice_sizes = op.ints("slice_sizes")
    return lambda operand, start_indices: gather_array(operand, start_indices, dims, slice_sizes)


@accelerates("stablehlo.dynamic_gather")
def dynamic_gather(op: Op, _: Kernel) -> Kernel:
    """As gather, with slice_sizes an operand. Spec: dynamic_gather."""
    dims = GatherDims.of(op.attribute("dimension_numbers"))

    def kernel(operand: Array, start_indices: Array, slice_sizes: Array) -> np.ndarray:
        return gather_array(operand, start_indices, dims, dynamic_slice_sizes(op, operand, slice_sizes))

    return kernel


_FLOATS = frozenset([*map(np.dtype, "efd"), np.dtype(ml_dtypes.bfloat16)])
_AT_TYPES = NUMPY_TYPES | {np.dtype(ml_dtypes.bfloat16)}


def _rounds(indices: np.ndarray) -> Iterator[np.ndarray]:
    """The positions in `indices` in rounds: the k-th holds those of each index's k-th occurrence."""
    order = np.argsort(indices, kind="stable")
    ordered = indices[order]
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    firsts = np.flatnonzero(is_first)
    occurrence = np.arange(len(ordered)) - np.repeat(firsts, np.diff(firsts, append=len(ordered)))
    by_occurrence = np.argsort(occurrence, kind="stable")
    yield from np.split(order[by_occurrence], np.cumsum(np.bincount(occurrence))[:-1])


def _extreme_at(ufunc: np.ufunc, result: Array, indices: np.ndarray, updates: Array) -> None:
    """The maximum or minimum as the spec has it, which numpy's ufunc gives for integers: floats are compared as bits.

    Flipping the magnitude of negative ones orders their bits as integers, with -0 before +0; NaN goes to the end that
    wins. The same flip turns the bits back."""
    if result.dtype not in _FLOATS:
        ufunc.at(result, indices, updates)
        return
    winner = np.copysign(np.float32("nan"), 1 if ufunc is np.maximum else -1).astype(result.dtype)

    def key(values: Array) -> np.ndarray:
        return flipped(np.where(values != values, winner, values).view(f"i{result.itemsize}"))

    keys = key(result)
    ufunc.at(keys, indices, key(updates))
    result[...] = flipped(keys).view(result.dtype)


def _update_one_by_one(
    body: Body, results: Arrays, indices: np.ndarray | list[int], updates: Sequence[np.ndarray]
) -> None:
    """Do as `update_at` does by a call of the body for each update."""
    places: list[int] = indices if isinstance(indices, list) else indices.tolist()
    if len(results) == 1:
        (result,), (update,) = results, updates
        for position, place in enumerate(places):
            (result[place],) = body(result[place], update[position])
        return
    for position, place in enumerate(places):
        updated = body(*[result[place] for result in results], *[update[position] for update in updates])
        for result, value in zip(results, updated, strict=True):
            result[place] = value


def update_at(
    body: FastBody, facts: RegionFacts, results: Arrays, indices: np.ndarray | list[int], updates: Arrays
) -> None:
    """results[i] = body(results[i], update) for each index and its update, in order, in place; all are flat."""
    if not body.plan.steps and body.plan.returns == body.plan.inputs[-len(updates) :]:
        for result, update in zip(results, updates, strict=True):
            result[indices] = update  # numpy lets the last one win
        return
    ufunc = UFUNCS.get(facts.sole_op) if len(results) == 1 and results[0].dtype in _AT_TYPES else None
    if ufunc is not None and ufunc not in EXTREMES:
        ufunc.at(results[0], indices, updates[0])
        return
    if len(indices) <= FEW_UPDATED:
        _update_one_by_one(body, results, indices, updates)
        return
    indices = np.asarray(indices)
    if ufunc is not None:
        _extreme_at(ufunc, results[0], indices, updates[0])
        return
    apply = on_arrays(body, facts, [result.dtype for result in results])
    for positions in _rounds(indices):
        if len(positions) > FEW_UPDATED:
            places = indices[positions]
            updated = apply(*[result[places] for result in results], *[update[positions] for update in updates])
            for result, value in zip(results, updated, strict=True):
                result[places] = value
            continue
        _update_one_by_one(body, results, indices[positions], [update[positions] for update in updates])


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
    """A dimension of the result that scatter_indices address: by which component of the index vectors, what a step
    along it adds to the flat index, and full_window_index there, broadcastable to updates."""

    component: int
    stride: int
    extent: int
    offsets: np.ndarray


@dataclass(frozen=True)
class _ScatterLayout:
    """The places of the elements of updates in a flat result, as far as shapes tell."""

    scattered: tuple[_ScatteredDimension, ...]
    start_shape: tuple[int, ...]
    """The shape of updates with ones for the dimensions of the windows."""
    constant: np.ndarray
    """Return the part of the flat index from full_batching_index and full_window_index, broadcastable to updates."""
    window_dims: tuple[int, ...]
    """The dimensions of updates that are those of a window, where an element of the result is at the same place of all
    windows that it is in: where windows are as large as the result in all dimensions but those of which they take one
    element. Empty elsewhere."""


@lru_cache(256)
def _scatter_layout(
    dims: ScatterDims, shape: tuple[int, ...], updates_shape: tuple[int, ...], batch_shape: tuple[int, ...]
) -> _ScatterLayout:
    rank = len(updates_shape)
    start_shape = tuple([1 if d in dims.update_window_dims else size for d, size in enumerate(updates_shape)])
    removed = {*dims.inserted_window_dims, *dims.input_batching_dims}
    window_dims = iter(dims.update_window_dims)
    constant = np.zeros((1,) * rank, np.int64)
    scattered: list[_ScatteredDimension] = []
    for d, extent in enumerate(shape):
        stride = math.prod(shape[d + 1 :])
        offsets = np.zeros((1,) * rank, np.int64)
        if d not in removed:
            axis = next(window_dims)
            offsets = np.arange(updates_shape[axis]).reshape([-1 if a == axis else 1 for a in range(rank)])
            constant = constant + offsets * stride
        if d in dims.scatter_dims_to_operand_dims:
            component = dims.scatter_dims_to_operand_dims.index(d)
            scattered.append(_ScatteredDimension(component, stride, extent, offsets))
        if d in dims.input_batching_dims:
            start_dim = dims.scatter_indices_batching_dims[dims.input_batching_dims.index(d)]
            batching = np.broadcast_to(_batching_index(batch_shape, start_dim, dims.index_vector_dim), batch_shape)
            constant = constant + batching.reshape(start_shape) * stride
    one_place = not dims.input_batching_dims and all(dimension.offsets.size == 1 for dimension in scattered)
    return _ScatterLayout(tuple(scattered), start_shape, constant, tuple(dims.update_window_dims) if one_place else ())


def _are_within(indices: np.ndarray, last: int) -> bool:
    """Whether 0 <= index <= last for all indices."""
    if indices.size > FEW_UPDATED:
        return bool(indices.min() >= 0 and indices.max() <= last)
    numbers = indices.reshape(-1).tolist()
    return not numbers or (min(numbers) >= 0 and max(numbers) <= last)


class _Placement:
    """The places of the elements of updates in a flat result: result_index of scatter's paragraph in the spec."""

    def __init__(self, layout: _ScatterLayout, vectors: np.ndarray) -> None:
        self.layout = layout
        self.constant = layout.constant
        self.starts: np.ndarray | None = None
        """Return the part of the flat index from full_start_index, broadcastable to updates; None if it has none."""
        self.in_bounds: list[np.ndarray] = []
        """Conditions on the elements, broadcastable to updates; where there are none, all are in bounds."""
        for dimension in layout.scattered:
            start = vectors[..., dimension.component].reshape(layout.start_shape)
            step = start if dimension.stride == 1 else start * dimension.stride
            self.starts = step if self.starts is None else self.starts + step
            if not _are_within(start, dimension.extent - dimension.offsets.size):
                index = start + dimension.offsets
                self.in_bounds.append((index >= 0) & (index < dimension.extent))

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

    def update_by_places(self, body: FastBody, facts: RegionFacts, results: Arrays, updates: Arrays) -> None:
        """Update flat results in place, one element of the window after the other, each in all windows at once: for
        windows of few elements, where each element of the result is at one place of them."""
        windows = math.prod(self.layout.start_shape)
        starts = np.zeros(windows, np.int64) if self.starts is None else self.starts.reshape(-1)
        mask = np.logical_and.reduce(self.in_bounds).reshape(-1) if self.in_bounds else None
        starts = starts if mask is None else starts[mask]
        dims = self.layout.window_dims
        for place in np.ndindex(tuple([updates[0].shape[d] for d in dims])):
            where = dict(zip(dims, place, strict=True))
            box = tuple([where.get(d, slice(None)) for d in range(updates[0].ndim)])
            offset = int(self.constant[tuple([where.get(d, 0) for d in range(updates[0].ndim)])])
            parts = [update[box].reshape(-1) for update in updates]
            parts = parts if mask is None else [part[mask] for part in parts]
            update_at(body, facts, tuple([result[offset:] for result in results]), starts, tuple(parts))


def _places_of_few(layout: _ScatterLayout, vectors: np.ndarray, count: int) -> tuple[list[int], list[int]]:
    """For windows of one element, the flat indices of those elements of updates that are in bounds, and which these
    are."""
    places: list[int] = []
    kept: list[int] = []
    for position, starts in enumerate(vectors.reshape(count, -1).tolist()):
        place = 0
        for dimension in layout.scattered:
            start = starts[dimension.component]
            if not 0 <= start < dimension.extent:
                break
            place += start * dimension.stride
        else:
            places.append(place)
            kept.append(position)
    return places, kept


@accelerates("stablehlo.scatter")
def scatter(op: Op, _: Kernel) -> Kernel:
    """The inputs with the windows at scatter_indices updated by update_computation, in the order of the updates; what
    is out of bounds is left out. Spec: scatter."""
    dims = ScatterDims.of(op.attribute("scatter_dimension_numbers"))
    facts = op.regions[0]
    count = len(op.operand_types) // 2
    layout_of = lru_cache(1)(partial(_scatter_layout, dims))  # asks for dims, whose hash takes time, only once

    def take(body: FastBody, operands: list[Any]) -> Any:
        scatter_indices = operands.pop(count)
        operands[:] = as_arguments(operands, facts)
        updates = tuple(operands[count:])
        results = tuple([owned(operands, index) for index in range(count)])
        vectors = _index_vectors(scatter_indices, dims.index_vector_dim)
        layout, size = layout_of(results[0].shape, updates[0].shape, vectors.shape[:-1]), updates[0].size
        flat_results = tuple([result.reshape(-1) for result in results])
        if 0 < size <= FEW_UPDATED and layout.constant.size == 1:
            places, kept = _places_of_few(layout, vectors, size)
            chunks = [update.reshape(-1) for update in updates]
            chunks = chunks if len(kept) == size else [chunk[kept] for chunk in chunks]
            if places:
                update_at(body, facts, flat_results, places, tuple(chunks))
            return as_result(results)
        placement = _Placement(layout, vectors)
        if size >= _MANY_UPDATES and 1 < placement.constant.size <= FEW_PLACES and placement.layout.window_dims:
            placement.update_by_places(body, facts, flat_results, updates)
            return as_result(results)
        for box in _chunks(updates[0].shape):
            parts = [update[box] for update in updates] if box else updates
            indices, in_bounds = placement.of_box(box, parts[0].shape)
            chunks = [part.reshape(-1) for part in parts]
            if in_bounds is not None:
                indices, chunks = indices[in_bounds], [chunk[in_bounds] for chunk in chunks]
            update_at(body, facts, flat_results, indices, tuple(chunks))
        return as_result(results)

    def kernel(body: FastBody, *operands: Array) -> Any:
        return take(body, list(operands))

    return DonatingKernel(kernel, take) if is_large(op) else kernel
