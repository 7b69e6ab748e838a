"""Faster ways for many elements. Long computations go a block at a time, so that what lies between two steps stays in
the cache."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .arithmetic import Operation, is_array

_BLOCK = 1 << 15
# From how many elements on a computation of many steps beats a call of the C library for each.
_LONG = 1 << 10
# The same for elements of bf16 as f32.
_LONG_BFLOAT16 = 1 << 12
# From how many elements on masks choose faster than `np.where`.
_MANY = 256


def is_long(*operands: Any) -> bool:
    """Whether one of the operands is large enough for a computation in blocks to be worth its steps."""
    return max([operand.size for operand in operands]) > _LONG


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


def through_single(operation: Operation, single: np.ufunc, *, swapped: bool = False) -> Operation:
    """The operation on bf16, as f32 and rounded where lhs is a long array: numpy has faster loops for that.

    With `swapped`, `single` takes the operands the other way round, where that makes no difference to numbers: of two
    NaN the same one wins then.
    """
    ndarray = np.ndarray

    def long(lhs: Any, rhs: Any) -> Any:
        shape = np.broadcast_shapes(lhs.shape, rhs.shape)
        sides = [np.broadcast_to(side, shape).reshape(-1) for side in ((rhs, lhs) if swapped else (lhs, rhs))]
        result = np.empty(math.prod(shape), lhs.dtype)
        left, right = np.empty((2, min(_BLOCK, result.size)), np.float32)
        for start in range(0, result.size, _BLOCK):
            count = min(_BLOCK, result.size - start)
            left[:count], right[:count] = [side[start : start + count] for side in sides]
            result[start : start + count] = single(left[:count], right[:count], out=left[:count])
        return result.reshape(shape)

    def run(lhs: Any, rhs: Any) -> Any:
        if type(lhs) is ndarray and lhs.size > _LONG_BFLOAT16:
            return long(lhs, rhs)
        return operation(lhs, rhs)

    return run


def has_zero(values: Any) -> bool:
    """Whether one of the floats is zero; complex numbers are not taken."""
    if values.size <= _LONG:
        return np.count_nonzero(values) != values.size
    if values.dtype.itemsize == 2:
        return np.count_nonzero(values.view(np.uint16) << np.uint16(1)) != values.size
    return bool(np.count_nonzero(values == 0))  # numpy counts booleans in a quarter of the time


def choose(pred: np.ndarray, on_true: Any, on_false: Any) -> Any:
    """As `np.where`, of many elements by masks, which do not make the processor guess."""
    dtype = on_true.dtype
    if dtype.itemsize > 8 or pred.size < _MANY:
        return np.where(pred, on_true, on_false)
    signed = np.dtype(f"i{dtype.itemsize}")
    mask = np.negative(pred.view(np.int8), dtype=signed)
    false_bits = on_false.view(signed)
    return (false_bits ^ ((on_true.view(signed) ^ false_bits) & mask)).view(dtype)


def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """on_true where pred is true, on_false where it is false; pred may be 0-d."""
    if is_array(pred) and pred.ndim:
        return choose(pred, on_true, on_false)
    return on_true if pred else on_false
