"""reduce_window and select_and_scatter: ops on all the windows of a tensor at once.

The tree of a reduction is implementation-defined. Windows are folded in order. If they have more than `IN_ORDER`
elements in all, they are folded along one dimension after the other, by doubling, so that a cumulative sum of n
elements takes n log(n) steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..op import Body, Kernel, Op, RegionFacts
from ..registry import evaluates
from .bodies import Array, Arrays, OnArrays, as_arguments, as_result, on_arrays
from .indexing import update_in_order
from .movement import pad_array

IN_ORDER = 1 << 21
IN_ORDER_ONE_BY_ONE = 1 << 14
"""The limit for a body that runs once for each element."""


def count_windows(size: int, window: int, stride: int, dilation: int) -> int:
    """Return the number of windows in a padded dimension. Spec: reduce_window, C15."""
    dilated = (window - 1) * dilation + 1 if window else 0
    return 0 if size == 0 or dilated > size else (size - dilated) // stride + 1


@dataclass(frozen=True)
class Windows:
    """The windows of an op, one entry for each dimension of its inputs."""

    dimensions: tuple[int, ...]
    strides: tuple[int, ...]
    base_dilations: tuple[int, ...]
    dilations: tuple[int, ...]
    padding_low: tuple[int, ...]
    padding_high: tuple[int, ...]

    @staticmethod
    def of(op: Op) -> Windows:
        """Return the window attributes of reduce_window or select_and_scatter, with the spec's defaults."""
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

    def pad(self, array: Array, padding_value: Array) -> np.ndarray:
        """Return the array with padding_value around and between its elements."""
        interior = [dilation - 1 for dilation in self.base_dilations]
        return pad_array(array, padding_value, self.padding_low, self.padding_high, interior)

    def counts(self, padded_shape: Sequence[int]) -> tuple[int, ...]:
        """Return the number of windows in each dimension of a padded array of this shape."""
        return tuple(map(count_windows, padded_shape, self.dimensions, self.strides, self.dilations))

    def elements(self, padded: Arrays) -> Iterator[Arrays]:
        """Give the elements of all windows of padded arrays at each index of a window, in order."""
        counts = self.counts(padded[0].shape)
        for index in np.ndindex(*self.dimensions):
            starts = [i * dilation for i, dilation in zip(index, self.dilations, strict=True)]
            sides = zip(starts, counts, self.strides, strict=True)
            box = tuple([slice(start, start + count * stride, stride) for start, count, stride in sides])
            yield tuple([array[box] for array in padded])

    def fold(self, combine: OnArrays, padded: list[Array], axes: Iterable[int]) -> Arrays:
        """Fold every window of padded arrays along these axes, one after the other. Empty the list."""
        for axis in axes:
            window, stride = self.dimensions[axis], self.strides[axis]
            if window > 1 or stride > 1:
                padded = [*fold_along(combine, padded, axis, window, stride, self.dilations[axis])]
        return tuple(padded)


def fold_along(combine: OnArrays, arrays: list[Array], axis: int, window: int, stride: int, dilation: int) -> Arrays:
    """Fold each window along one axis to one element. Empty the list, so that its arrays die after their last use.

    Short windows are folded from the left. For long ones, two that meet make one of twice the length,
    for every start, and a window is put together from those of its binary digits.
    """
    values: Arrays = tuple(arrays)
    arrays.clear()
    last = (count_windows(values[0].shape[axis], window, stride, dilation) - 1) * stride

    def along(part: slice) -> Arrays:
        return tuple([value[(slice(None),) * axis + (part,)] for value in values])

    def starts(first: int) -> Arrays:
        return along(slice(first, first + last + 1, stride))

    if window <= 2 * stride * window.bit_length():
        folded = starts(0)
        for position in range(1, window):
            folded = combine(*folded, *starts(position * dilation))
        return folded
    folded, done = (starts(0), 1) if window & 1 else (None, 0)
    for length in [1 << bit for bit in range(1, window.bit_length())]:
        half = length // 2 * dilation
        values = combine(*along(slice(0, values[0].shape[axis] - half)), *along(slice(half, None)))
        if window & length:
            part = starts(done * dilation)
            folded = part if folded is None else combine(*folded, *part)
            done += length
    return values if folded is None else folded


def reduce_windows(windows: Windows, body: Body, facts: RegionFacts, operands: Sequence[Array]) -> Arrays:
    """Fold each window of the inputs, which are the first half of operands, from init_values. Spec: reduce_window."""
    count = len(operands) // 2
    converted = as_arguments(operands, facts)
    inputs, init_values = converted[:count], converted[count:]
    padded = [windows.pad(array, value) for array, value in zip(inputs, init_values, strict=True)]
    combine = on_arrays(body, facts, [value.dtype for value in init_values])
    counts = windows.counts(padded[0].shape)
    results: Arrays = tuple([np.broadcast_to(value, counts) for value in init_values])
    if results[0].size * math.prod(windows.dimensions) < (IN_ORDER if facts.elementwise else IN_ORDER_ONE_BY_ONE):
        for elements in windows.elements(tuple(padded)):
            results = combine(*results, *elements)
        return results
    return combine(*results, *windows.fold(combine, padded, reversed(range(results[0].ndim))))


@evaluates("stablehlo.reduce_window")
def reduce_window(op: Op) -> Kernel:
    """Reduce the window of inputs at result_index * window_strides to results[result_index]. Spec: reduce_window."""
    windows = Windows.of(op)
    facts = op.regions[0]
    return lambda body, *operands: as_result(reduce_windows(windows, body, facts, operands))


@evaluates("stablehlo.select_and_scatter")
def select_and_scatter(op: Op) -> Kernel:
    """Scatter each value of source to the element that select takes from its window of operand.

    All other elements are init_value. A window without elements takes none. Spec: select_and_scatter.
    """
    windows = Windows.of(op)
    select_facts, scatter_facts = op.regions

    def kernel(select: Body, scatter: Body, operand: Array, source: Array, init_value: Array) -> Any:
        source, init_value = as_arguments((source, init_value), scatter_facts)
        takes_left = on_arrays(select, select_facts, [np.dtype(np.bool_)])
        values = windows.pad(operand, np.zeros((), operand.dtype))
        indices = windows.pad(np.arange(operand.size).reshape(operand.shape), np.asarray(-1))
        selected_val = np.zeros(source.shape, operand.dtype)
        selected_index = np.full(source.shape, -1)
        for value, index in windows.elements((values, indices)):
            is_new = (index >= 0) & ((selected_index < 0) | ~takes_left(selected_val, value)[0])
            selected_val = np.where(is_new, value, selected_val)
            selected_index = np.where(is_new, index, selected_index)
        found = selected_index >= 0
        result = np.full(operand.shape, init_value, init_value.dtype)
        computation = on_arrays(scatter, scatter_facts, [init_value.dtype])
        return as_result(update_in_order(computation, (result,), selected_index[found], [source[found]]))

    return kernel
