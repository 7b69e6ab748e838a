"""cholesky and triangular_solve. LAPACK's results depend on the processor; sums here go from left to right."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array
from .matmul import accumulator, product


def _adjoint(a: np.ndarray) -> np.ndarray:
    return a.conj().swapaxes(-1, -2)


def lower_factor(a: Any) -> Any:
    """Return the Cholesky factor of each matrix, from its lower triangle, or NaN if there is none.

    Column after column, the contribution of a column is subtracted from the columns after it.
    """
    rest, factor = a.copy(), np.zeros_like(a)
    failed = np.zeros(a.shape[:-2], np.bool_)
    for k in range(a.shape[-1]):
        pivot = rest[..., k, k].real
        failed = failed | ~(pivot > 0)
        column = rest[..., k:, k] / np.sqrt(pivot)[..., np.newaxis]
        column[..., 0] = np.sqrt(pivot)
        factor[..., k:, k] = column
        below = column[..., 1:]
        rest[..., k + 1 :, k + 1 :] -= product(below[..., np.newaxis], below[..., np.newaxis, :].conj())
    if failed.any():
        factor[failed] = np.tril(np.full(a.shape[-2:], np.nan, a.dtype))
    return factor


@evaluates("stablehlo.cholesky")
def cholesky(op: Op) -> Kernel:
    """L with a = L * adjoint(L), or U with a = adjoint(U) * U; zero in the other triangle, and NaN where a is not
    positive definite. Spec: cholesky."""
    lower = op.bool("lower", False)
    dtype = op.tensor_result().dtype

    def kernel(a: Array) -> np.ndarray:
        a = a.astype(accumulator(dtype), copy=False)
        factor = lower_factor(a) if lower else _adjoint(lower_factor(_adjoint(a)))
        return factor.astype(dtype, copy=False)

    return kernel


def substitute(a: np.ndarray, b: np.ndarray, lower: bool, unit_diagonal: bool) -> np.ndarray:
    """Return x with a * x = b. The contribution of each row of x is subtracted from the rows of b after it."""
    x = b.copy()
    size = a.shape[-1]
    for row in range(size) if lower else reversed(range(size)):
        if not unit_diagonal:
            x[..., row, :] /= a[..., row, row, np.newaxis]
        rest = slice(row + 1, None) if lower else slice(0, row)
        x[..., rest, :] -= product(a[..., rest, row, np.newaxis], x[..., row, np.newaxis, :])
    return x


@evaluates("stablehlo.triangular_solve")
def triangular_solve(op: Op) -> Kernel:
    """x with op(a) * x = b if left_side, else x * op(a) = b, where op is transpose_a. Spec: triangular_solve."""
    left_side, unit_diagonal = op.bool("left_side"), op.bool("unit_diagonal")
    transpose_a = op.enum("transpose_a")
    # x * op(a) = b is transpose(op(a)) * transpose(x) = transpose(b)
    is_transposed = (transpose_a != "NO_TRANSPOSE") == left_side
    lower = op.bool("lower") != is_transposed
    dtype = op.tensor_result().dtype

    def kernel(a: Array, b: Array) -> np.ndarray:
        a, b = [side.astype(accumulator(dtype), copy=False) for side in (a, b)]
        if transpose_a == "ADJOINT":
            a = a.conj()
        if is_transposed:
            a = a.swapaxes(-1, -2)
        if not left_side:
            b = b.swapaxes(-1, -2)
        x = substitute(a, b, lower, unit_diagonal).astype(dtype, copy=False)
        return x if left_side else x.swapaxes(-1, -2)

    return kernel
