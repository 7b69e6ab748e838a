"""Windows that are folded along one dimension after the other, by doubling, where the order makes no difference.

Replaces reduce_window for such bodies, and select_and_scatter, whose updates `scatter` places. Gains: `reduce_window
maximum 3x3`, 1.6 x; `CNN, a training step`, 1.8 x.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import Body, Kernel, Op
from ..ops.bodies import Array, OnArrays, as_arguments, as_result, on_arrays
from ..ops.window import Windows
from .indexing import update_at
from .plans import FastBody
from .reading import accelerates

_ANY_ORDER = frozenset(f"stablehlo.{name}" for name in ["and", "maximum", "minimum", "or", "xor"])
"""Bodies that give the same bits in any order."""


@accelerates("stablehlo.reduce_window")
def reduce_window(op: Op, definition: Kernel) -> Kernel | None:
    """Fold the windows of one input along each axis, if the body may do so in any order."""
    windows, facts = Windows.of(op), op.regions[0]
    if facts.sole_op not in _ANY_ORDER:
        return None

    def kernel(body: Body, operand: Array, init_value: Array) -> Any:
        converted = as_arguments((operand, init_value), facts)
        padded, init_value = [windows.pad(*converted)], converted[1]
        if 0 in windows.counts(padded[0].shape):
            return definition(body, operand, init_value)
        combine = on_arrays(body, facts, [init_value.dtype])
        (folded,) = windows.fold(combine, padded, range(operand.ndim))
        return as_result(combine(np.broadcast_to(init_value, folded.shape), folded))

    return kernel


def _selected_index(windows: Windows, select: OnArrays, operand: Array) -> np.ndarray:
    """Return for each window the index in the flat operand of the element that select takes, or -1."""
    has_padding = max((*windows.padding_low, *windows.padding_high), default=0) > 0
    chosen: tuple[np.ndarray, np.ndarray] | None = None
    padded = (
        windows.pad(operand, operand.dtype.type(0)),
        windows.pad(np.arange(operand.size).reshape(operand.shape), np.asarray(-1)),
    )
    for value, index in windows.elements(padded):
        if chosen is None:
            chosen = value, index
            continue
        values, indices = chosen
        is_new = ~select(values, value)[0]
        if has_padding:
            is_new = (index >= 0) & ((indices < 0) | is_new)
        chosen = np.where(is_new, value, values), np.where(is_new, index, indices)
    return np.zeros(0, np.int64) if chosen is None else chosen[1].reshape(-1)


@accelerates("stablehlo.select_and_scatter")
def select_and_scatter(op: Op, _: Kernel) -> Kernel:
    """Choose the first element of a window without a test, and update in place."""
    windows, (select_facts, scatter_facts) = Windows.of(op), op.regions

    def kernel(select: Body, scatter: FastBody, operand: Array, source: Array, init_value: Array) -> np.ndarray:
        source, init_value = as_arguments((source, init_value), scatter_facts)
        indices = _selected_index(windows, on_arrays(select, select_facts, [np.dtype(np.bool_)]), operand)
        result, found = np.full(operand.shape, init_value, init_value.dtype), indices >= 0
        update_at(scatter, scatter_facts, (result.reshape(-1),), indices[found], (source.reshape(-1)[found],))
        return result

    return kernel
