"""cholesky and triangular_solve."""

from __future__ import annotations

import numpy as np

from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array

_LAPACK = frozenset(map(np.dtype, "fdFD"))
_FEW = 16
"""Up to so many elements of the result, substituting number by number is faster than row by row."""


def _as_type(array: Array, dtype: np.dtype) -> Array:
    return array if array.dtype == dtype else array.astype(dtype)


def _adjoint(a: np.ndarray) -> np.ndarray:
    return a.conj().swapaxes(-1, -2)


def _lower_factor(a: np.ndarray) -> np.ndarray:
    """The Cholesky factor of each matrix, from its lower triangle; NaN in that triangle where there is none."""
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        if a.ndim == 2:
            return np.tril(np.full_like(a, np.nan))
        return np.stack([_lower_factor(matrix) for matrix in a])


@evaluates("stablehlo.cholesky")
def cholesky(op: Op) -> Kernel:
    """L with a = L * adjoint(L), or U with a = adjoint(U) * U; zero in the other triangle, and NaN where a is not
    positive definite. Spec: cholesky."""
    lower = op.bool("lower", False)
    dtype = op.tensor_result().dtype
    wide = dtype if dtype in _LAPACK else np.dtype(np.float32)

    def kernel(a: Array) -> np.ndarray:
        matrices = _as_type(a, wide)
        factor = _lower_factor(matrices if lower else _adjoint(matrices))
        return _as_type(factor if lower else _adjoint(factor), dtype)

    return kernel


def _substitute(a: np.ndarray, b: np.ndarray, lower: bool, unit_diagonal: bool) -> np.ndarray:
    """x with a * x = b, row after row: a row of x is that of b less what the rows found before contribute."""
    if b.ndim == 2 and b.size <= _FEW:
        return _substitute_few(a, b, lower, unit_diagonal)
    x = np.zeros_like(b)
    size = a.shape[-1]
    for row in range(size) if lower else reversed(range(size)):
        found = slice(0, row) if lower else slice(row + 1, size)
        rest = b[..., row, :] - np.matmul(a[..., row : row + 1, found], x[..., found, :])[..., 0, :]
        x[..., row, :] = rest if unit_diagonal else rest / a[..., row, row, np.newaxis]
    return x


def _substitute_few(a: np.ndarray, b: np.ndarray, lower: bool, unit_diagonal: bool) -> np.ndarray:
    """As `_substitute`, for one matrix, a number at a time."""
    size, columns = b.shape
    coefficients, x = list(a.flat), list(b.flat)
    for row in range(size) if lower else range(size - 1, -1, -1):
        start = row * size
        found = range(row) if lower else range(row + 1, size)
        for place in range(row * columns, (row + 1) * columns):
            rest = x[place]
            for other in found:
                rest -= coefficients[start + other] * x[place + (other - row) * columns]
            x[place] = rest if unit_diagonal else rest / coefficients[start + row]
    return np.fromiter(x, b.dtype, len(x)).reshape(b.shape)


@evaluates("stablehlo.triangular_solve")
def triangular_solve(op: Op) -> Kernel:
    """x with op(a) * x = b if left_side, else x * op(a) = b, where op is transpose_a. Spec: triangular_solve."""
    left_side, lower = op.bool("left_side"), op.bool("lower")
    unit_diagonal = op.bool("unit_diagonal")
    transpose_a = op.enum("transpose_a")
    dtype = op.tensor_result().dtype
    wide = dtype if dtype in _LAPACK else np.dtype(np.float32)

    def kernel(a: Array, b: Array) -> np.ndarray:
        matrices, values = _as_type(a, wide), _as_type(b, wide)
        is_lower = lower
        if transpose_a == "ADJOINT":
            matrices = matrices.conj()
        # x * op(a) = b is transpose(op(a)) * transpose(x) = transpose(b)
        if (transpose_a != "NO_TRANSPOSE") == left_side:
            matrices, is_lower = matrices.swapaxes(-1, -2), not lower
        if left_side:
            return _as_type(_substitute(matrices, values, is_lower, unit_diagonal), dtype)
        x = _substitute(matrices, values.swapaxes(-1, -2), is_lower, unit_diagonal)
        return _as_type(x.swapaxes(-1, -2), dtype)

    return kernel
