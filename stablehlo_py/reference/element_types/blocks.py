"""Long computations on large arrays, a block at a time: what lies between two steps then stays in the cache."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .arithmetic import Operation

_BLOCK = 1 << 15


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
