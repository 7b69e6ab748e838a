"""Gathers of rows by numpy's take.

Replaces gather of whole slices at one index each, as of embeddings. Gains: `gather 100k rows` of
`benchmarks/interpreter.py`, 6 x; `beam search` of `benchmarks/growth.py`, 1.8 x.
"""

from __future__ import annotations

import numpy as np

from ...bindings.dimension_numbers import GatherDimensionNumbers
from ..op import Kernel, Op
from ..ops.bodies import Array
from ..ops.slicing import as_indices


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
