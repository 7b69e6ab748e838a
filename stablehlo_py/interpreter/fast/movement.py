"""Broadcasts to few elements, which are copied in less time than a view of them takes to make.

Replaces broadcast_in_dim to at most `FEW_COPIED` elements. Gains: `non-maximum suppression, 200 steps`.
"""

from __future__ import annotations

import math

import numpy as np

from ..acceleration import accelerates
from ..op import Kernel, Op
from ..ops.bodies import Array
from .few import FEW_COPIED


@accelerates("stablehlo.broadcast_in_dim")
def broadcast_in_dim(op: Op, _: Kernel) -> Kernel | None:
    """Copy operand into a small new array."""
    operand_type, result = op.tensor_operand(0), op.tensor_result()
    if not (operand_type.is_static and result.is_static) or math.prod(result.static_shape) > FEW_COPIED:
        return None
    broadcast_dimensions, dtype, shape = op.ints("broadcast_dimensions"), result.dtype, result.static_shape
    expanded = [1] * len(shape)
    for dimension, size in zip(broadcast_dimensions, operand_type.static_shape, strict=True):
        expanded[dimension] = size
    order = sorted(range(operand_type.rank), key=broadcast_dimensions.__getitem__)

    def kernel(operand: Array) -> np.ndarray:
        copy = np.empty(shape, dtype)
        copy[...] = operand.transpose(order).reshape(expanded) if order else operand
        return copy

    return kernel
