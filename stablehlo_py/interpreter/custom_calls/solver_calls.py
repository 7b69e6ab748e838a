"""Tridiagonal systems that may be singular, and sparse matrices, as jaxlib's own kernels for CPUs have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.bodies import Array
from .call import CustomCall
from .matrices import runs_on_matrices
from .registry import runs


def _solve_perturbed(dl: np.ndarray, d: np.ndarray, du: np.ndarray, b: np.ndarray) -> np.ndarray:
    """x by Gaussian elimination with row interchanges, where a pivot that would make x overflow is moved by multiples
    of the rounding error of the largest entry of U: LAPACK's lagtf and lagts."""
    diagonals, swapped = _eliminated(dl, d, du)
    lower, main, upper, second = diagonals
    limits = np.finfo(d.dtype)
    tolerance = max(np.abs(part).max(initial=0) for part in (main, upper[:-1], second)) * limits.eps
    tolerance = limits.tiny if tolerance == 0 else tolerance
    x = b.copy()
    for row in range(d.size - 1):
        if swapped[row]:
            x[row], x[row + 1] = x[row + 1].copy(), x[row] - lower[row] * x[row + 1]
        else:
            x[row + 1] -= lower[row] * x[row]
    for row in reversed(range(d.size)):
        rest = x[row]
        rest = rest - upper[row] * x[row + 1] if row + 1 < d.size else rest
        rest = rest - second[row] * x[row + 2] if row + 2 < d.size else rest
        x[row] = [_divided(number, main[row], tolerance, limits) for number in rest]
    return x


def _eliminated(dl: np.ndarray, d: np.ndarray, du: np.ndarray) -> tuple[tuple[np.ndarray, ...], list[bool]]:
    """Return the multipliers, the three diagonals of U, and which rows changed places with the next."""
    lower, main, upper, second = dl[1:].copy(), d.copy(), du.copy(), np.zeros_like(d)
    size = d.size
    swapped = []
    scale = abs(main[0]) + (abs(upper[0]) if size > 1 else 0)
    for row in range(size - 1):
        next_scale = abs(lower[row]) + abs(main[row + 1]) + (abs(upper[row + 1]) if row + 2 < size else 0)
        own = abs(main[row]) / scale if main[row] != 0 else 0
        other = abs(lower[row]) / next_scale if lower[row] != 0 else 0
        swapped.append(bool(other > own))
        if swapped[-1]:
            multiplier = main[row] / lower[row]
            main[row], upper[row], main[row + 1] = lower[row], main[row + 1], upper[row] - multiplier * main[row + 1]
            if row + 2 < size:
                second[row] = upper[row + 1]
                upper[row + 1] = -multiplier * second[row]
            lower[row] = multiplier
        else:
            scale = next_scale
            if lower[row] != 0:
                lower[row] /= main[row]
                main[row + 1] -= lower[row] * upper[row]
    return (lower, main, upper, second), swapped


def _divided(number: Any, pivot: Any, tolerance: Any, limits: np.finfo) -> Any:
    """number / pivot, of a pivot that is moved away from zero until the quotient is finite."""
    step = np.copysign(tolerance, pivot.real)
    smallest, largest = limits.tiny, 1 / limits.tiny
    while abs(pivot) < 1:
        size = abs(pivot)
        if size < smallest and not (size == 0 or abs(number) * smallest > size):
            return number * largest / (pivot * largest)
        if size >= smallest and abs(number) <= size * largest:
            break
        pivot, step = pivot + step, step * 2
    return number / pivot


runs_on_matrices(
    [f"{platform}tridiagonal_solve_perturbed{suffix}" for platform in ("", "cu_", "hip_") for suffix in ("_ffi", "")],
    "x of a tridiagonal system whose pivots are kept away from zero.",
    lambda _: lambda *operands: (_solve_perturbed(*operands),),
    [1, 1, 1, 2],
)


@runs("cpu_csr_sparse_dense_ffi")
def csr_sparse_dense(call: CustomCall, values: Array, row_starts: Array, columns: Array, dense: Array) -> Any:
    """The product of a matrix in compressed rows with a vector or matrix."""
    values, starts, columns, dense = map(np.asarray, (values, row_starts, columns, dense))
    type_ = call.op.tensor_result()
    rows = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    used = slice(int(starts[0]), int(starts[-1]))
    result = np.zeros((starts.size - 1, *dense.shape[1:]), type_.dtype)
    products = values[used].reshape(-1, *[1] * (dense.ndim - 1)) * dense[columns[used]]
    np.add.at(result, rows, products)
    return result
