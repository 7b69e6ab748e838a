"""Sums of products from left to right, in a third of the time. Used by `matmul`.

If its innermost loop runs along the result, numpy's einsum adds one product after the other to all elements, without an
array of products. A trial run finds out, once, whether it does so on this machine, and rounds each product before the
sum. Tests compare it with the definition in `ops/matmul.py`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

_SHORT_SIDE = 8
"""The least number of elements that its innermost loop should have."""
_LONG_BATCH = 1 << 13
"""The multiplications of one matrix that make a call for each matrix of a batch pay."""
_TILE = 1 << 14
"""The number of elements of the result that are added to at a time, so that they stay in the cache."""
_TYPES = frozenset(map(np.dtype, "fd"))


def can_add(lhs: np.ndarray, rhs: np.ndarray) -> bool:
    """Whether `add_products` gives the product of these batches of matrices, and does so faster."""
    batch, rows, contracted = lhs.shape
    columns = rhs.shape[-1]
    return (
        lhs.dtype in _TYPES
        and max(rows, columns) >= _SHORT_SIDE
        and min(rows, columns, contracted, batch) > 0
        and (batch == 1 or rows * columns * contracted >= _LONG_BATCH)
        and _adds_in_order()
    )


def add_products(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Return lhs @ rhs, batches of matrices. The products are added to zero from left to right."""
    if len(lhs) == 1 and lhs.shape[1] <= min(rhs.shape[2], _TILE // rhs.shape[2]):
        return np.einsum("ki,kj->ij", np.ascontiguousarray(lhs[0].T), np.ascontiguousarray(rhs[0]))[np.newaxis]
    total = np.empty((lhs.shape[0], lhs.shape[1], rhs.shape[2]), lhs.dtype)
    for result, left, right in zip(total, lhs, rhs, strict=True):
        if left.shape[0] > right.shape[1]:
            _fill(result.T, right.T, left.T)
        else:
            _fill(result, left, right)
    return total


def _fill(result: np.ndarray, lhs: np.ndarray, rhs: np.ndarray) -> None:
    """Compute one product of matrices. rhs has at least as many columns as lhs has rows."""
    right = np.ascontiguousarray(rhs)
    rows = max(_TILE // right.shape[1], 1)
    for start in range(0, len(lhs), rows):
        part = slice(start, start + rows)
        result[part] = np.einsum("ki,kj->ij", np.ascontiguousarray(lhs[part].T), right)


@cache
def _adds_in_order() -> bool:
    """Whether einsum gives the bits of sums from left to right. A processor that fuses a product with the sum that
    follows does not."""
    random = np.random.default_rng(0)
    for dtype in _TYPES:
        for rows, contracted, columns in ((1, 70, 41), (3, 70, 41), (40, 70, 40)):
            lhs = random.standard_normal((rows, contracted)).astype(dtype)
            rhs = random.standard_normal((contracted, columns)).astype(dtype)
            expected = np.zeros((rows, columns), dtype)
            for position in range(contracted):
                expected += np.multiply.outer(lhs[:, position], rhs[position])
            found = np.empty_like(expected)
            _fill(found, lhs, rhs)
            if found.tobytes() != expected.tobytes():
                return False
    return True
