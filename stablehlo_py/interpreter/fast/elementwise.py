"""Selection of many elements by masks, which do not make the processor guess.

Replaces select by a tensor. Gains: `select f32[1M]` of `benchmarks/interpreter.py`, 3 x; `CNN, a training step`, 1.2 x.
"""

from __future__ import annotations

import numpy as np

from ..op import Kernel, Op
from ..ops.bodies import Array
from .reading import accelerates

_MANY = 1 << 12
"""The least number of elements for which masks are faster."""


@accelerates("stablehlo.select")
def select(op: Op, _: Kernel) -> Kernel | None:
    """Select bits: false ^ ((true ^ false) * pred)."""
    itemsize = op.tensor_result().dtype.itemsize
    if not op.tensor_operand(0).rank or itemsize > 8:
        return None
    dtype, bits_dtype = op.tensor_result().dtype, np.dtype(f"i{itemsize}")

    def kernel(pred: Array, on_true: Array, on_false: Array) -> np.ndarray:
        if pred.size < _MANY:
            return np.where(pred, on_true, on_false)
        false_bits = on_false.view(bits_dtype)
        bits = on_true.view(bits_dtype) ^ false_bits
        bits *= pred.view(np.int8)
        bits ^= false_bits
        return bits.view(dtype)

    return kernel
