"""reduce_window and select_and_scatter: ops on all the windows of a tensor at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from ...lean import record
from ..few import FEW_COPIED
from ..op import Body, Kernel, Op, RegionFacts
from ..plan import BoundPlan
from ..registry import evaluates
from .bodies import Array, Arrays, OnArrays, as_arguments, as_result, on_arrays
from .indexing import update_at
from .movement import broadcast_array, pad_array

_IN_ORDER = 1 << 21
"""The number of elements in all windows together from which on each dimension is folded on its own."""
_IN_ORDER_ONE_BY_ONE = 1 << 14
"""The same for a body that runs once for each element."""
_THIN = 64
"""Up to how many elements beside each other numpy's loops over them are so short that all starts take less time than
every second one,"""
_SMALL_STRIDE = 4
"""up to every fourth."""
_ANY_ORDER = frozenset(f"stablehlo.{name}" for name in ["and", "maximum", "minimum", "or", "xor"])
"""Bodies that give the same bits in any order."""


def count_windows(size: int, window: int, stride: int, dilation: int) -> int:
    """The number of windows in a padded dimension. Spec: reduce_window, C15."""
    dilated = (window - 1) * dilation + 1 if window else 0
    return 0 if size == 0 or dilated > size else (size - dilated) // stride + 1


def _along(axis: int, part: slice) -> tuple[slice, ...]:
    return (slice(None),) * axis + (part,)


def _fold_windows_of_axis(
    combine: OnArrays, arrays: list[Array], axis: int, window: int, stride: int, dilation: int
) -> list[Array]:
    """Each window along one axis folded to one element. Empties the list, so that its arrays die when done with.

    A few elements are folded from the left. Many are folded by doubling: of two windows of a length that meet, the
    window of twice the length is made, for every start; a window is put together from those of its binary digits.
    """
    values: Arrays = tuple(arrays)
    arrays.clear()
    count = count_windows(values[0].shape[axis], window, stride, dilation)

    last = (count - 1) * stride

    def starts(first: int, step: int = stride) -> Arrays:
        """The elements from `first` on, of which every `step`-th is taken, up to where the last window starts."""
        part = _along(axis, slice(first, first + last + 1, step))
        return tuple([value[part] for value in values])

    if window <= 2 * stride * window.bit_length():
        is_thin = math.prod(values[0].shape[axis + 1 :]) <= _THIN
        step = 1 if is_thin and stride <= _SMALL_STRIDE else stride
        folded = starts(0, step)
        for position in range(1, window):
            folded = combine(*folded, *starts(position * dilation, step))
        return [value[_along(axis, slice(None, None, stride // step))] for value in folded]
    done = window & 1
    folded = tuple([value.copy() for value in starts(0)]) if done else ()
    for length in [1 << bit for bit in range(1, window.bit_length())]:
        half = length // 2 * dilation
        left, right = _along(axis, slice(0, values[0].shape[axis] - half)), _along(axis, slice(half, None))
        values = combine(*[value[left] for value in values], *[value[right] for value in values])
        if window & length:
            part = starts(done * dilation)
            folded = combine(*folded, *part) if done else part
            done += length
    return list(folded)


@record
class Windows:
    """The layout of the windows of an op, one entry for each dimension of its inputs."""

    dimensions: tuple[int, ...]
    strides: tuple[int, ...]
    base_dilations: tuple[int, ...]
    dilations: tuple[int, ...]
    padding_low: tuple[int, ...]
    padding_high: tuple[int, ...]

    @staticmethod
    def of(op: Op) -> Windows:
        """The window attributes of reduce_window or select_and_scatter, with the spec's defaults."""
        dimensions = op.ints("window_dimensions")
        ones = (1,) * len(dimensions)
        padding = op.elements("padding", np.zeros((len(dimensions), 2), np.int64))
        return Windows(
            dimensions,
            op.ints("window_strides", ones),
            op.ints("base_dilations", ones),
            op.ints("window_dilations", ones),
            tuple(padding[:, 0].tolist()),
            tuple(padding[:, 1].tolist()),
        )

    @property
    def has_padding(self) -> bool:
        """Whether a window can contain something else than elements of the array."""
        return max((*self.padding_low, *self.padding_high), default=0) > 0 or max(self.base_dilations, default=1) > 1

    def pad(self, array: Array, padding_value: Array) -> np.ndarray:
        """The array with padding_value around and between its elements."""
        interior = [dilation - 1 for dilation in self.base_dilations]
        return pad_array(array, padding_value, self.padding_low, self.padding_high, interior)

    def counts(self, padded_shape: Sequence[int]) -> tuple[int, ...]:
        """The number of windows in each dimension of a padded array of this shape."""
        return tuple(map(count_windows, padded_shape, self.dimensions, self.strides, self.dilations))

    def boxes(self, padded_shape: tuple[int, ...]) -> Iterator[tuple[slice, ...]]:
        """For each position in a window, where it is in all windows of a padded array of this shape."""
        counts = self.counts(padded_shape)
        for position in itertools.product(*map(range, self.dimensions)):
            places = zip(position, self.dilations, counts, self.strides, strict=True)
            yield tuple([slice(p * d, p * d + count * stride, stride) for p, d, count, stride in places])

    def fold_in_order(self, combine: OnArrays, folded: Arrays, padded: list[Array]) -> Arrays:
        """`folded`, to which the body adds the elements of every window from left to right."""
        for box in self.boxes(padded[0].shape):
            folded = combine(*folded, *[values[box] for values in padded])
        return folded

    def fold(self, combine: OnArrays, padded: list[Array], axes: Iterable[int]) -> list[Array]:
        """Every window of the padded arrays folded by a body, one dimension after the other. Empties the list."""
        for axis in axes:
            window, stride = self.dimensions[axis], self.strides[axis]
            if window > 1 or stride > 1:
                padded = _fold_windows_of_axis(combine, padded, axis, window, stride, self.dilations[axis])
        return padded


def reduce_windows(windows: Windows, body: Body, facts: RegionFacts, operands: Sequence[Array]) -> Arrays:
    """Each window of the inputs, which are the first half of operands, reduced by the body from the init_values."""
    count = len(operands) // 2
    converted = as_arguments(operands, facts)
    init_values = converted[count:]
    padded = [windows.pad(a, v) for a, v in zip(converted[:count], init_values, strict=True)]
    shape = windows.counts(padded[0].shape)
    spread = [broadcast_array(init_value, (), shape) for init_value in init_values]
    if 0 in shape:
        return tuple(spread)
    combine = on_arrays(body, facts, [init_value.dtype for init_value in init_values])
    elements = math.prod(shape) * math.prod(windows.dimensions)
    limit = _IN_ORDER if facts.elementwise else _IN_ORDER_ONE_BY_ONE
    if elements < limit and facts.sole_op not in _ANY_ORDER:
        return windows.fold_in_order(combine, tuple(spread), padded)
    axes = range(len(shape)) if facts.sole_op in _ANY_ORDER else reversed(range(len(shape)))  # rows are longer
    return combine(*spread, *windows.fold(combine, padded, axes))


@evaluates("stablehlo.reduce_window")
def reduce_window(op: Op) -> Kernel:
    """results[result_index] = reduce(the window of inputs at result_index * window_strides). Spec: reduce_window."""
    windows = Windows.of(op)
    facts = op.regions[0]
    return lambda body, *operands: as_result(reduce_windows(windows, body, facts, operands))


@evaluates("stablehlo.select_and_scatter")
def select_and_scatter(op: Op) -> Kernel:
    """init_value everywhere, with each value of source scattered to the element that select takes from its window of
    operand. A window without elements takes none. Spec: select_and_scatter."""
    windows = Windows.of(op)
    has_padding = windows.has_padding
    select_facts, scatter_facts = op.regions

    def padded_indices(shape: tuple[int, ...]) -> np.ndarray:
        return windows.pad(np.arange(math.prod(shape)).reshape(shape), np.asarray(-1))

    kept_indices, kept_boxes = lru_cache(1)(padded_indices), lru_cache(1)(lambda shape: list(windows.boxes(shape)))
    boxes = kept_boxes if math.prod(windows.dimensions) <= FEW_COPIED else windows.boxes

    def selected(select: OnArrays, operand: Array) -> np.ndarray:
        """For each window the index in the flat operand of the element that select takes, or -1."""
        all_values = windows.pad(operand, operand.dtype.type(0))
        all_indices = (kept_indices if operand.size <= FEW_COPIED else padded_indices)(operand.shape)
        values, indices = None, None
        for box in boxes(all_values.shape):
            candidates = all_values[box], all_indices[box]
            if values is None or indices is None:
                values, indices = candidates
                continue
            replaced = ~select(values, candidates[0])[0]
            if has_padding:
                replaced = (candidates[1] >= 0) & ((indices < 0) | replaced)
            values = np.where(replaced, candidates[0], values)
            indices = np.where(replaced, candidates[1], indices)
        return np.zeros(0, np.int64) if indices is None else indices.reshape(-1)

    def kernel(select: BoundPlan, scatter: BoundPlan, operand: Array, source: Array, init_value: Array) -> np.ndarray:
        source, init_value = as_arguments((source, init_value), scatter_facts)
        indices = selected(on_arrays(select, select_facts, [np.dtype(np.bool_)]), operand)
        result = np.empty(operand.shape, init_value.dtype)
        result[...] = init_value
        updates = source.reshape(-1)
        if has_padding:
            in_bounds = indices >= 0
            indices, updates = indices[in_bounds], updates[in_bounds]
        update_at(scatter, scatter_facts, (result.reshape(-1),), indices, (updates,))
        return result

    return kernel
