"""Sorts by keys where the comparator has some, else by merging all runs of a length at once.

Replaces sort and the order of ApproxTopK. Gains: `sort f32[4096]` and `sort 4096 by three keys`, 1,000 x.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..acceleration import accelerates
from ..op import Kernel, Op, RegionFacts
from ..ops.bodies import Array, Arrays, OnArrays, as_result, on_arrays
from .comparators import Comparator, Comparison, ascending
from .plans import FastBody


def _order_by_keys(keys: list[np.ndarray]) -> np.ndarray:
    """The stable order along the last axis by these keys, the first of them first."""
    if len(keys) == 1:
        return np.argsort(keys[0], axis=-1, kind="stable")
    return np.lexsort(keys[::-1], axis=-1)


_CHUNK = 1 << 16
"""The number of elements that are searched for at a time, which bounds the memory that the search takes."""


def _first_not_before(less: Callable[[np.ndarray], np.ndarray], size: int, count: int) -> np.ndarray:
    """Return the first position in [0, size] with a false `less`, by `count` binary searches."""
    low, high = np.zeros(count, np.int64), np.full(count, size)
    for _ in range(size.bit_length()):
        middle = (low + high) // 2
        searching = low < high
        is_less = searching & less(np.minimum(middle, size - 1))
        low = np.where(is_less, middle + 1, low)
        high = np.where(searching & ~is_less, middle, high)
    return low


def _merge(compare: OnArrays, values: Arrays, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Merge sorted runs of positions in the flat values, one in each row of left and of right, row by row.

    A position of the right goes before one of the left only if its element is less.
    """
    (rows, size), right_size = left.shape, right.shape[1]
    row = np.arange(rows)[:, np.newaxis]
    flat_left, flat_right = left.reshape(-1), right.reshape(-1)
    before = np.empty(left.size, left.dtype)
    for start in range(0, left.size, _CHUNK):
        part = flat_left[start : start + _CHUNK]
        run = np.arange(start, start + part.size) // size * right_size
        left_elements = [value[part] for value in values]

        def right_is_less(position: np.ndarray, run: np.ndarray = run, left: list[Array] = left_elements) -> np.ndarray:
            candidates = flat_right[run + position]
            sides = zip([value[candidates] for value in values], left, strict=True)
            return np.asarray(compare(*[side for pair in sides for side in pair])[0])

        before[start : start + part.size] = _first_not_before(right_is_less, right_size, part.size)
    # A comparator that contradicts itself must not lose elements: the left's keep their order in any case.
    places = before.reshape(rows, size)
    np.maximum.accumulate(places, axis=1, out=places)
    places += np.arange(size, dtype=left.dtype)
    merged = np.empty((rows, size + right_size), left.dtype)
    from_right = np.ones(merged.shape, np.bool_)
    from_right[row, places] = False
    merged[row, places] = left
    merged[from_right] = right.reshape(-1)
    return merged


def _order_by_merging(compare: OnArrays, inputs: Arrays) -> np.ndarray:
    """The stable order along the last of two axes, by merge sort: all runs of a length are merged at once."""
    lanes, size = inputs[0].shape
    values = tuple([value.reshape(-1) for value in inputs])
    positions = np.int32 if lanes * size <= np.iinfo(np.int32).max else np.int64
    order = np.arange(lanes * size, dtype=positions).reshape(lanes, size)
    width = 1
    while width < size:
        whole = size - size % (2 * width)  # up to here there are pairs of full runs
        runs = order[:, :whole].reshape(-1, 2, width)
        rest = order[:, whole:]
        order = _merge(compare, values, runs[:, 0], runs[:, 1]).reshape(lanes, whole)
        if rest.shape[1]:
            merged = _merge(compare, values, rest[:, :width], rest[:, width:]) if rest.shape[1] > width else rest
            order = np.concatenate([order, merged], axis=1)
        width *= 2
    order -= np.arange(0, lanes * size, size, dtype=positions)[:, np.newaxis]
    return order


def orderer(facts: RegionFacts) -> Callable[[FastBody, Arrays], np.ndarray]:
    """Return what gives the stable order along the last axis, of inputs with elements, by a comparator."""
    boolean = np.dtype(np.bool_)
    known: dict[str, list[Comparison] | None] = {}

    def keys_of(comparator: Comparator) -> list[Comparison] | None:
        if "keys" not in known:
            known["keys"] = comparator.keys() if facts.elementwise else None
        return known["keys"]

    def order_of(body: FastBody, lanes: Arrays) -> np.ndarray:
        if not lanes[0].size:
            return np.empty(lanes[0].shape, np.int64)
        comparator = Comparator(body.plan, len(body.captured))
        keys = keys_of(comparator)
        if keys is None:
            flat = tuple([value.reshape(-1, value.shape[-1]) for value in lanes])
            return _order_by_merging(on_arrays(body, facts, [boolean]), flat).reshape(lanes[0].shape)
        columns = [ascending(comparator.evaluate(key.key, body.captured, lanes), key) for key in keys]
        shape = lanes[0].shape
        return _order_by_keys(
            [column if column.shape == shape else np.broadcast_to(column, shape) for column in columns]
        )

    return order_of


@accelerates("stablehlo.sort")
def sort(op: Op, _: Kernel) -> Kernel:
    """The inputs in the order that comparator gives to their elements along dimension; always stable. Spec: sort."""
    dimension = op.int("dimension", -1)
    order_of = orderer(op.regions[0])

    def kernel(body: FastBody, *inputs: Array) -> Any:
        if inputs[0].ndim == 1:
            order = order_of(body, inputs)
            return as_result(tuple([value[order] for value in inputs]))
        lanes = tuple([np.moveaxis(value, dimension, -1) for value in inputs])
        order = order_of(body, lanes)
        ordered = [np.take_along_axis(value, order, axis=-1) for value in lanes]
        return as_result(tuple([np.moveaxis(value, -1, dimension) for value in ordered]))

    return kernel
