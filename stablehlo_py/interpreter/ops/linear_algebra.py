"""cholesky and triangular_solve. LAPACK's results depend on the processor; sums here go from left to right."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array
from .matmul import accumulator
from .steps import NUMBERS, Steps


def lower_factor(a: Any, steps: Steps = NUMBERS) -> Any:
    """Return the Cholesky factor of each matrix, from its lower triangle, or NaN if there is none.

    Column after column, the contribution of a column is subtracted from the columns after it.
    """
    rest, factor = a.copy(), np.zeros_like(a)
    failed = np.zeros(a.shape[:-2], np.bool_)
    for k in range(a.shape[-1]):
        pivot = rest[..., k, k]
        failed = failed | ~steps.is_positive(pivot)
        root = steps.root(pivot)
        column = steps.divide(rest[..., k:, k], root[..., np.newaxis])
        column[..., 0] = root
        factor[..., k:, k] = column
        below, rows = column[..., 1:], np.s_[..., k + 1 :, k + 1 :]
        products = steps.multiply(below[..., np.newaxis], steps.conjugate(below[..., np.newaxis, :]))
        rest[rows] = steps.subtract(rest[rows], products)
    if failed.any() and a.dtype.names is None:
        factor[failed] = np.tril(np.full(a.shape[-2:], np.nan, a.dtype))
    return factor


@evaluates("stablehlo.cholesky")
def cholesky(op: Op) -> Kernel:
    """L with a = L * adjoint(L), or U with a = adjoint(U) * U; zero in the other triangle, and NaN where a is not
    positive definite. Spec: cholesky."""
    lower, steps = op.bool("lower", False), op.program.reading.steps(op)
    dtype = op.tensor_result().dtype

    def adjoint(a: Any) -> Any:
        return steps.conjugate(a).swapaxes(-1, -2)

    def kernel(a: Array) -> np.ndarray:
        a = a.astype(accumulator(dtype), copy=False)
        factor = lower_factor(a, steps) if lower else adjoint(lower_factor(adjoint(a), steps))
        return factor.astype(dtype, copy=False)

    return kernel


def substitute(
    a: np.ndarray,
    b: np.ndarray,
    lower: bool,
    unit_diagonal: bool,
    steps: Steps = NUMBERS,
) -> np.ndarray:
    """Return x with a * x = b. The contribution of each row of x is subtracted from the rows of b after it."""
    x = b.copy()
    size = a.shape[-1]
    for row in range(size) if lower else reversed(range(size)):
        if not unit_diagonal:
            x[..., row, :] = steps.divide(x[..., row, :], a[..., row, row, np.newaxis])
        rest = slice(row + 1, None) if lower else slice(0, row)
        products = steps.multiply(a[..., rest, row, np.newaxis], x[..., row, np.newaxis, :])
        x[..., rest, :] = steps.subtract(x[..., rest, :], products)
    return x


@evaluates("stablehlo.triangular_solve")
def triangular_solve(op: Op) -> Kernel:
    """x with op(a) * x = b if left_side, else x * op(a) = b, where op is transpose_a. Spec: triangular_solve."""
    left_side, unit_diagonal = op.bool("left_side"), op.bool("unit_diagonal")
    transpose_a = op.enum("transpose_a")
    # x * op(a) = b is transpose(op(a)) * transpose(x) = transpose(b)
    is_transposed = (transpose_a != "NO_TRANSPOSE") == left_side
    lower, steps = op.bool("lower") != is_transposed, op.program.reading.steps(op)
    dtype = op.tensor_result().dtype

    def kernel(a: Array, b: Array) -> np.ndarray:
        a, b = [side.astype(accumulator(dtype), copy=False) for side in (a, b)]
        if transpose_a == "ADJOINT":
            a = steps.conjugate(a)
        if is_transposed:
            a = a.swapaxes(-1, -2)
        if not left_side:
            b = b.swapaxes(-1, -2)
        x = substitute(a, b, lower, unit_diagonal, steps).astype(dtype, copy=False)
        return x if left_side else x.swapaxes(-1, -2)

    return kernel
