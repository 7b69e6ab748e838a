"""Elementwise operations on many elements, a block at a time, so that intermediate arrays stay in the cache.

Replaces operations of element types on whole arrays. Gains: `exponential f32[1M]` and `tanh f32[1M]`, 1.3 x.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..element_types.arithmetic import Operation
from ..element_types.floats import Floats

_BLOCK = 1 << 15
_LONG = 1 << 10
"""The number of elements that makes counting zeros by comparison faster."""


def in_blocks(operation: Operation) -> Operation:
    """The operation on one or more operands, run block by block where that pays. It must be elementwise."""

    def run(*operands: Any) -> Any:
        for operand in operands:
            if type(operand) is np.ndarray and operand.size >= 2 * _BLOCK:
                break
        else:
            return operation(*operands)
        shape = np.broadcast_shapes(*[operand.shape for operand in operands])
        size = math.prod(shape)
        flat = [np.broadcast_to(operand, shape).reshape(-1) if operand.ndim else operand for operand in operands]
        parts = [operand[:_BLOCK] if operand.ndim else operand for operand in flat]
        first = operation(*parts)
        result = np.empty(size, first.dtype)
        result[:_BLOCK] = first
        for start in range(_BLOCK, size, _BLOCK):
            stop = start + _BLOCK
            result[start:stop] = operation(*[operand[start:stop] if operand.ndim else operand for operand in flat])
        return result.reshape(shape)

    return run


def has_zero(values: Any) -> bool:
    """Whether one of the floats is zero; complex numbers are not taken."""
    if values.size <= _LONG:
        return np.count_nonzero(values) != values.size
    if values.dtype.itemsize == 2:
        return np.count_nonzero(values.view(np.uint16) << np.uint16(1)) != values.size
    return bool(np.count_nonzero(values == 0))  # numpy counts booleans in a quarter of the time


class FastFloats(Floats):
    """Floats whose maximum and minimum settle the signs of zeros only if there are some."""

    def _settle_zeros(self, result: Any, lhs: Any, rhs: Any, combine: np.ufunc) -> Any:
        return super()._settle_zeros(result, lhs, rhs, combine) if has_zero(result) else result
