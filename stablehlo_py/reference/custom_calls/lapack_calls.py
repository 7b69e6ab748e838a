"""The calls of LAPACK and BLAS that JAX emits for CPUs: with options in `mhlo.backend_config` (`…_ffi`), and of before,
with sizes and options as leading operands and workspaces as further results."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import lapack
from .call import CustomCall
from .matrices import for_each_matrix
from .registry import runs

Arrays = tuple[Any, ...]


def _names(*routines: str, suffix: str = "_ffi") -> list[str]:
    """The targets of routines in all element types; one after `/` is the name for complex numbers."""
    names = []
    for routine in routines:
        real, _, complex_ = routine.partition("/")
        for prefix in "sdcz":
            name = complex_ if complex_ and prefix in "cz" else real
            names.append(f"lapack_{prefix}{name}{suffix}")
    return names


def _older(*routines: str) -> list[str]:
    return _names(*routines, suffix="")


def _option(call: CustomCall, name: str, **meanings: Any) -> Any:
    """Return the meaning of a character of the options. Raises `InterpreterError` for any other character."""
    character = chr(call.backend_config[name])
    if character not in meanings:
        raise call.op.error(f"has {name} '{character}', expected one of {', '.join(meanings)}")
    return meanings[character]


def _is_lower(call: CustomCall) -> bool:
    return _option(call, "uplo", L=True, U=False)


@runs(*_names("potrf"))
def potrf(call: CustomCall, a: Any) -> Any:
    """The Cholesky factor, info."""
    lower = _is_lower(call)
    return for_each_matrix(call, lambda a: lapack.potrf(a, lower), [a], [2])


@runs(*_older("potrf"))
def potrf_older(call: CustomCall, lower: Any, batch: Any, n: Any, a: Any) -> Any:
    """The Cholesky factor, info."""
    return for_each_matrix(call, lambda a: lapack.potrf(a, bool(lower)), [a], [2], 3)


@runs(*_names("getrf"))
def getrf(call: CustomCall, a: Any) -> Any:
    """The LU factors, pivots, info."""
    return for_each_matrix(call, lapack.getrf, [a], [2])


@runs(*_older("getrf"))
def getrf_older(call: CustomCall, batch: Any, m: Any, n: Any, a: Any) -> Any:
    """The LU factors, pivots, info."""
    return for_each_matrix(call, lapack.getrf, [a], [2], 3)


@runs(*_names("geqrf"))
def geqrf(call: CustomCall, a: Any) -> Any:
    """R with Householder vectors, their factors."""
    return for_each_matrix(call, lapack.geqrf, [a], [2])


@runs(*_older("geqrf"))
def geqrf_older(call: CustomCall, batch: Any, m: Any, n: Any, lwork: Any, a: Any) -> Any:
    """R with Householder vectors, their factors, info."""
    return for_each_matrix(call, lambda a: (*lapack.geqrf(a), 0), [a], [2], 4)


@runs(*_names("geqp3"))
def geqp3(call: CustomCall, a: Any, jpvt: Any) -> Any:
    """As geqrf with the permutation of columns after the first result."""
    return for_each_matrix(call, lapack.geqp3, [a, jpvt], [2, 1])


@runs(*_names("orgqr/ungqr"))
def orgqr(call: CustomCall, a: Any, tau: Any) -> Any:
    """Q."""
    return for_each_matrix(call, lambda a, tau: lapack.orgqr(a, tau)[:1], [a, tau], [2, 1])


@runs(*_older("orgqr/ungqr"))
def orgqr_older(call: CustomCall, batch: Any, m: Any, n: Any, k: Any, lwork: Any, a: Any, tau: Any) -> Any:
    """Q, info."""
    return for_each_matrix(call, lapack.orgqr, [a, tau], [2, 1], 5)


@runs(*_names("ormqr/unmqr"))
def ormqr(call: CustomCall, a: Any, tau: Any, c: Any) -> Any:
    """Q times c."""
    left, transpose = call.backend_config["left"], call.backend_config["transpose"]
    return for_each_matrix(call, lambda a, tau, c: lapack.ormqr(a, tau, c, left, transpose)[:1], [a, tau, c], [2, 1, 2])


@runs(*_names("gesdd", "gesvd"))
def svd(call: CustomCall, a: Any) -> Any:
    """Return the overwritten a, singular values, U, the adjoint of V, and info."""
    vectors, full = _option(call, "mode", A=(True, True), S=(True, False), N=(False, False))
    return _svd(call, a, vectors, full, 0)


@runs(*_older("gesdd"))
def svd_older(call: CustomCall, full: Any, vectors: Any, batch: Any, m: Any, n: Any, lwork: Any, a: Any) -> Any:
    """Return the overwritten a, singular values, U, the adjoint of V, and info."""
    return _svd(call, a, bool(vectors), bool(full), 6)


def _svd(call: CustomCall, a: Any, vectors: bool, full: bool, first: int) -> Any:
    name = "gesvd" if "gesvd" in call.target else "gesdd"

    def routine(a: np.ndarray) -> Arrays:
        u, s, vt, info = lapack.svd(a, vectors, full, name)
        return a, s, u, vt, info

    return for_each_matrix(call, routine, [a], [2], first)


@runs(*_names("syevd/heevd"))
def eigh(call: CustomCall, a: Any) -> Any:
    """Eigenvectors, eigenvalues, info."""
    vectors, lower = _option(call, "mode", V=True, N=False), _is_lower(call)
    return for_each_matrix(call, lambda a: lapack.eigh(a, vectors, lower), [a], [2])


@runs(*_older("syevd/heevd"))
def eigh_older(call: CustomCall, lower: Any, batch: Any, n: Any, a: Any) -> Any:
    """Eigenvectors, eigenvalues, info."""
    return for_each_matrix(call, lambda a: lapack.eigh(a, True, bool(lower)), [a], [2], 3)


@runs(*_names("geev"))
def geev(call: CustomCall, a: Any) -> Any:
    """Eigenvalues, left and right eigenvectors, info."""
    left = _option(call, "compute_left", V=True, N=False)
    right = _option(call, "compute_right", V=True, N=False)
    return _geev(call, a, left, right, 0, 0)


@runs(*_older("geev"))
def geev_older(call: CustomCall, batch: Any, n: Any, left: Any, right: Any, a: Any) -> Any:
    """Eigenvalues, left and right eigenvectors, info, after the workspaces."""
    workspaces = 2 if np.asarray(a).dtype.kind == "c" else 3
    return _geev(call, a, chr(int(left)) == "V", chr(int(right)) == "V", 4, workspaces)


def _geev(call: CustomCall, a: Any, left: bool, right: bool, first: int, workspaces: int) -> Any:
    def routine(a: np.ndarray) -> Arrays:
        values, vl, vr, info = lapack.geev(a, left, right)
        return *[None] * workspaces, *values, vl if left else None, vr if right else None, info

    return for_each_matrix(call, routine, [a], [2], first)


@runs(*_names("gees"))
def gees(call: CustomCall, a: Any) -> Any:
    """The Schur form and vectors, eigenvalues, the number selected, info."""
    vectors = _option(call, "mode", V=True, N=False)
    _option(call, "sort", N=False)

    def routine(a: np.ndarray) -> Arrays:
        t, vs, values, selected, info = lapack.gees(a, vectors)
        return t, vs, *values, selected, info

    return for_each_matrix(call, routine, [a], [2])


@runs(*_older("gees"))
def gees_older(call: CustomCall, batch: Any, n: Any, vectors: Any, sort: Any, a: Any) -> Any:
    """The Schur form, for complex numbers a workspace, eigenvalues, Schur vectors, the number selected, info."""

    def routine(a: np.ndarray) -> Arrays:
        t, vs, values, selected, info = lapack.gees(a, chr(int(vectors)) == "V")
        workspaces = [None] if a.dtype.kind == "c" else []
        return t, *workspaces, *values, vs, selected, info

    return for_each_matrix(call, routine, [a], [2], 4)


@runs(*_names("gehrd"))
def gehrd(call: CustomCall, a: Any) -> Any:
    """The Hessenberg form with Householder vectors, their factors, info."""
    low, high = call.backend_config["low"], call.backend_config["high"]
    return for_each_matrix(call, lambda a: lapack.gehrd(a, low, high), [a], [2])


@runs(*_older("gehrd"))
def gehrd_older(call: CustomCall, n: Any, low: Any, high: Any, lda: Any, batch: Any, lwork: Any, a: Any) -> Any:
    """The Hessenberg form with Householder vectors, their factors, info."""
    return for_each_matrix(call, lambda a: lapack.gehrd(a, int(low), int(high)), [a], [2], 6)


@runs(*_names("sytrd/hetrd"))
def sytrd(call: CustomCall, a: Any) -> Any:
    """The tridiagonal form with Householder vectors, two diagonals, factors, info."""
    lower = _is_lower(call)
    return for_each_matrix(call, lambda a: lapack.sytrd(a, lower), [a], [2])


@runs(*_older("sytrd/hetrd"))
def sytrd_older(call: CustomCall, n: Any, lower: Any, lda: Any, batch: Any, lwork: Any, a: Any) -> Any:
    """The tridiagonal form with Householder vectors, two diagonals, factors, info."""
    return for_each_matrix(call, lambda a: lapack.sytrd(a, bool(lower)), [a], [2], 5)


@runs(*_names("trsm"))
def trsm(call: CustomCall, a: Any, b: Any) -> Any:
    """x with op(a) x = b, or x op(a) = b."""
    left, lower = _option(call, "side", L=True, R=False), _is_lower(call)
    trans = _option(call, "trans_x", N=0, T=1, C=2)
    unit_diagonal = _option(call, "diag", U=True, N=False)

    def routine(a: np.ndarray, b: np.ndarray) -> Arrays:
        return (lapack.trsm(1, a, b, left, lower, trans, unit_diagonal),)

    return for_each_matrix(call, routine, [a, b], [2, 2])


@runs("blas_strsm", "blas_dtrsm", "blas_ctrsm", "blas_ztrsm")
def trsm_older(call: CustomCall, *operands: Any) -> Any:
    """x with op(a) x = alpha b, or x op(a) = alpha b; before them: left, lower, trans, unit diagonal, m, n, batch."""
    left, lower, trans, unit_diagonal, _m, _n, _batch, alpha, a, b = operands

    def routine(a: np.ndarray, b: np.ndarray) -> Arrays:
        return (lapack.trsm(alpha, a, b, bool(left), bool(lower), int(trans), bool(unit_diagonal)),)

    return for_each_matrix(call, routine, [a, b], [2, 2], 8)


@runs(*_names("gtsv"))
def gtsv(call: CustomCall, dl: Any, d: Any, du: Any, b: Any) -> Any:
    """The factors' diagonals, x, info."""
    return for_each_matrix(call, lapack.gtsv, [dl, d, du, b], [1, 1, 1, 2])
