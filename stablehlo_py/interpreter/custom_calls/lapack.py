"""LAPACK's and BLAS's routines on one matrix: the only file that imports scipy.

Each function is the routine of its name for any of the four element types, with the arguments and results of jaxlib's
kernels. `info` is what LAPACK says of the outcome; it is the caller's to act on, and no exception.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...errors import UnsupportedOpError

Array = np.ndarray

_PREFIX = {"f": "s", "d": "d", "F": "c", "D": "z"}


@cache
def _library(name: str) -> Any:
    try:
        import scipy.linalg as linalg
    except ImportError:
        raise UnsupportedOpError(
            "needs scipy for its linear algebra", notes=["pip install 'stablehlo-py[scipy]' installs it"]
        ) from None
    return getattr(linalg, name)


def _routine(name: str, a: Array, complex_name: str = "") -> Any:
    """Return the routine for the element type of `a`; complex numbers have `complex_name` if it is given."""
    name = complex_name if complex_name and a.dtype.kind == "c" else name
    return getattr(_library("lapack"), _PREFIX[a.dtype.char] + name)


def potrf(a: Array, lower: bool) -> tuple[Any, ...]:
    """Return the Cholesky factor in its triangle of `a`, with the other triangle unchanged; info."""
    return _routine("potrf", a)(a, lower=lower, clean=False)


def getrf(a: Array) -> tuple[Any, ...]:
    """L and U in one matrix, the row that each row was swapped with (from 1), info."""
    lu, pivots, info = _routine("getrf", a)(a)
    return lu, pivots + 1, info


def geqrf(a: Array) -> tuple[Any, ...]:
    """R and the Householder vectors in one matrix, their factors."""
    qr, tau, *_ = _routine("geqrf", a)(a)
    return qr, tau


def geqp3(a: Array, jpvt: Array) -> tuple[Any, ...]:
    """As `geqrf` after the permutation of columns that it also returns (from 1). Columns with a number other than zero
    in `jpvt` are moved to the front and stay there. Of a matrix without rows LAPACK leaves `jpvt` as it is."""
    if not a.size:
        return a, jpvt, np.zeros(0, a.dtype)
    order, fixed_columns = np.arange(jpvt.size), np.flatnonzero(jpvt)
    for target, column in enumerate(fixed_columns.tolist()):
        order[[target, column]] = order[[column, target]]
    fixed, free = order[: fixed_columns.size], order[fixed_columns.size :].copy()
    if not fixed.size:
        qr, permutation, tau, *_ = _routine("geqp3", a)(a)
        return qr, permutation, tau
    front = min(fixed.size, a.shape[0])
    qr = a[:, order].copy()
    qr[:, : fixed.size], tau = geqrf(qr[:, : fixed.size])
    if free.size:
        qr[:, fixed.size :] = ormqr(qr[:, :front], tau, qr[:, fixed.size :], left=True, transpose=True)[0]
        if front < a.shape[0]:
            rest, permutation, rest_tau = geqp3(qr[front:, fixed.size :], np.zeros(free.size, jpvt.dtype))
            qr[:front, fixed.size :] = qr[:front, fixed.size :][:, permutation - 1]
            qr[front:, fixed.size :] = rest
            order[fixed.size :] = free[permutation - 1]
            tau = np.concatenate([tau, rest_tau])
    return qr, order + 1, tau


def orgqr(a: Array, tau: Array) -> tuple[Any, ...]:
    """Return the first columns of Q, as many as `a` has, from Householder vectors and their factors; info."""
    if not tau.size:
        return np.eye(*a.shape, dtype=a.dtype), 0
    q, _, info = _routine("orgqr", a, "ungqr")(a, tau)
    return q, info


def ormqr(a: Array, tau: Array, c: Array, left: bool, transpose: bool) -> tuple[Any, ...]:
    """Q c, or c Q if not `left`, of Q or its adjoint; info."""
    if not tau.size or not c.size:
        return c, 0
    routine = _routine("ormqr", a, "unmqr")
    trans = ("C" if a.dtype.kind == "c" else "T") if transpose else "N"
    product, _, info = routine("L" if left else "R", trans, a, tau, c, max(1, 64 * max(c.shape)))
    return product, info


def svd(a: Array, vectors: bool, full: bool, name: str = "gesdd") -> tuple[Any, ...]:
    """`a`, the singular values, U, the adjoint of V, info, by `gesdd` or `gesvd`; None for vectors not asked for."""
    u, s, vt, info = _routine(name, a)(a, compute_uv=vectors, full_matrices=full)
    return (a, s, u, vt, info) if vectors else (a, s, None, None, info)


def eigh(a: Array, vectors: bool, lower: bool) -> tuple[Any, ...]:
    """Eigenvectors (or what is left of `a`), ascending eigenvalues, info: syevd or heevd of one triangle."""
    w, v, info = _routine("syevd", a, "heevd")(a, compute_v=vectors, lower=lower)
    return v, w, info


def geev(a: Array, left: bool, right: bool) -> tuple[Any, ...]:
    """Return the eigenvalues (for real matrices as two arrays, of real and imaginary parts), complex left and right
    eigenvectors, None for those not asked for, info."""
    *values, vl, vr, info = _routine("geev", a)(a, compute_vl=left, compute_vr=right)
    if a.dtype.kind != "c":
        vl, vr = _paired(vl, values[1]), _paired(vr, values[1])
    return *values, vl if left else None, vr if right else None, info


def _paired(packed: Array, imaginary: Array) -> Array:
    """The complex vectors that LAPACK keeps as two columns, real and imaginary parts, for each pair of eigenvalues."""
    vectors = packed.astype(np.result_type(packed.dtype, np.complex64))
    if packed.size:
        for first in np.flatnonzero(imaginary > 0):
            vectors[:, first] = packed[:, first] + 1j * packed[:, first + 1]
            vectors[:, first + 1] = vectors[:, first].conj()
    return vectors


def gees(a: Array, vectors: bool) -> tuple[Any, ...]:
    """The Schur form, the Schur vectors, the eigenvalues (as `geev` has them), the number selected (none), info."""
    select = (lambda _: False) if a.dtype.kind == "c" else (lambda _real, _imaginary: False)
    t, selected, *values, vs, _, info = _routine("gees", a)(select, a, compute_v=vectors, sort_t=0)
    return t, vs if vectors else None, *values, selected, info


def gehrd(a: Array, low: int, high: int) -> tuple[Any, ...]:
    """The Hessenberg form with its Householder vectors, of rows and columns `low` to `high` (from 1), their factors,
    info."""
    if a.shape[0] < 2:
        return a, np.zeros(0, a.dtype), 0
    return _routine("gehrd", a)(a, lo=low - 1, hi=high - 1)


def sytrd(a: Array, lower: bool) -> tuple[Any, ...]:
    """The tridiagonal form with its Householder vectors, its diagonal and the one beside it, their factors, info."""
    if a.shape[0] < 2:  # which scipy does not pass on
        none = np.zeros(0, a.dtype)
        return a, np.real(a.diagonal()), np.real(none), none, 0
    return _routine("sytrd", a, "hetrd")(a, lower=lower)


def trsm(a: Array, b: Array, left: bool, lower: bool, trans: int, unit_diagonal: bool, alpha: Any = 1) -> tuple[Array]:
    """x with op(a) x = alpha b, or x op(a) = alpha b if not `left`, where `trans` 1 transposes and 2 is the adjoint."""
    if not b.size:
        return (b,)
    routine = getattr(_library("blas"), _PREFIX[a.dtype.char] + "trsm")
    return (routine(alpha, a, b, side=not left, lower=lower, trans_a=trans, diag=unit_diagonal),)


def gtsv(dl: Array, d: Array, du: Array, b: Array) -> tuple[Any, ...]:
    """Solve a tridiagonal system; return the lower, main and upper diagonal of the factors, x and info.

    The first element of `dl` and the last of `du` are outside the matrix.
    """
    if not b.shape[1]:
        return dl, d, du, b, 0
    if d.size == 1:
        singular = d[0] == 0
        return dl, d, du, b if singular else b / d[0], int(singular)
    inner_dl, inner_d, inner_du, x, info = _routine("gtsv", d)(dl[1:], d, du[:-1], b)
    return np.concatenate([dl[:1], inner_dl, dl[1 + inner_dl.size :]]), inner_d, np.append(inner_du, du[-1]), x, info
