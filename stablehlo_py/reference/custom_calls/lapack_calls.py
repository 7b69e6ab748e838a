"""The calls of LAPACK and BLAS that JAX emits for CPUs: with options in `mhlo.backend_config` (`…_ffi`), and of before,
with sizes and options as leading operands and workspaces as further results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import lapack
from .call import CustomCall
from .matrices import Routine, for_each_matrix
from .registry import runs

Arrays = tuple[Any, ...]


def _names(*routines: str, library: str = "lapack", suffix: str = "_ffi") -> list[str]:
    """The targets of routines in all element types; one after `/` is the name for complex numbers."""
    names = []
    for routine in routines:
        real, _, complex_ = routine.partition("/")
        for prefix in "sdcz":
            name = complex_ if complex_ and prefix in "cz" else real
            names.append(f"{library}_{prefix}{name}{suffix}")
    return names


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


@runs(*_names("getrf"))
def getrf(call: CustomCall, a: Any) -> Any:
    """The LU factors, pivots, info."""
    return for_each_matrix(call, lapack.getrf, [a], [2])


@runs(*_names("geqrf"))
def geqrf(call: CustomCall, a: Any) -> Any:
    """R with Householder vectors, their factors."""
    return for_each_matrix(call, lapack.geqrf, [a], [2])


@runs(*_names("geqp3"))
def geqp3(call: CustomCall, a: Any, jpvt: Any) -> Any:
    """As geqrf with the permutation of columns after the first result."""
    return for_each_matrix(call, lapack.geqp3, [a, jpvt], [2, 1])


@runs(*_names("orgqr/ungqr"))
def orgqr(call: CustomCall, a: Any, tau: Any) -> Any:
    """Q."""
    return for_each_matrix(call, lambda a, tau: lapack.orgqr(a, tau)[:1], [a, tau], [2, 1])


@runs(*_names("ormqr/unmqr"))
def ormqr(call: CustomCall, a: Any, tau: Any, c: Any) -> Any:
    """Q times c."""
    left, transpose = call.backend_config["left"], call.backend_config["transpose"]
    return for_each_matrix(call, lambda a, tau, c: lapack.ormqr(a, tau, c, left, transpose)[:1], [a, tau, c], [2, 1, 2])


@runs(*_names("gesdd", "gesvd"))
def svd(call: CustomCall, a: Any) -> Any:
    """Return the overwritten a, singular values, U, the adjoint of V, and info."""
    vectors, full = _option(call, "mode", A=(True, True), S=(True, False), N=(False, False))
    return for_each_matrix(call, _svd(vectors, full, "gesvd" if "gesvd" in call.target else "gesdd"), [a], [2])


def _svd(vectors: bool, full: bool, name: str = "gesdd") -> Routine:
    def routine(a: np.ndarray) -> Arrays:
        u, s, vt, info = lapack.svd(a, vectors, full, name)
        return a, s, u, vt, info

    return routine


@runs(*_names("syevd/heevd"))
def eigh(call: CustomCall, a: Any) -> Any:
    """Eigenvectors, eigenvalues, info."""
    vectors, lower = _option(call, "mode", V=True, N=False), _is_lower(call)
    return for_each_matrix(call, lambda a: lapack.eigh(a, vectors, lower), [a], [2])


@runs(*_names("geev"))
def geev(call: CustomCall, a: Any) -> Any:
    """Eigenvalues, left and right eigenvectors, info."""
    left = _option(call, "compute_left", V=True, N=False)
    right = _option(call, "compute_right", V=True, N=False)
    return for_each_matrix(call, _geev(left, right), [a], [2])


def _geev(left: bool, right: bool, *, has_workspaces: bool = False) -> Routine:
    def routine(a: np.ndarray) -> Arrays:
        values, vl, vr, info = lapack.geev(a, left, right)
        workspaces = [None] * ((2 if a.dtype.kind == "c" else 3) if has_workspaces else 0)
        return *workspaces, *values, vl if left else None, vr if right else None, info

    return routine


@runs(*_names("gees"))
def gees(call: CustomCall, a: Any) -> Any:
    """The Schur form and vectors, eigenvalues, the number selected, info."""
    vectors = _option(call, "mode", V=True, N=False)
    _option(call, "sort", N=False)
    return for_each_matrix(call, _gees(vectors), [a], [2])


def _gees(vectors: bool, *, is_older: bool = False) -> Routine:
    def routine(a: np.ndarray) -> Arrays:
        t, vs, values, selected, info = lapack.gees(a, vectors)
        if is_older:
            return t, *([None] if a.dtype.kind == "c" else []), *values, vs, selected, info
        return t, vs, *values, selected, info

    return routine


@runs(*_names("gehrd"))
def gehrd(call: CustomCall, a: Any) -> Any:
    """The Hessenberg form with Householder vectors, their factors, info."""
    low, high = call.backend_config["low"], call.backend_config["high"]
    return for_each_matrix(call, lambda a: lapack.gehrd(a, low, high), [a], [2])


@runs(*_names("sytrd/hetrd"))
def sytrd(call: CustomCall, a: Any) -> Any:
    """The tridiagonal form with Householder vectors, two diagonals, factors, info."""
    lower = _is_lower(call)
    return for_each_matrix(call, lambda a: lapack.sytrd(a, lower), [a], [2])


@runs(*_names("trsm"))
def trsm(call: CustomCall, a: Any, b: Any) -> Any:
    """x with op(a) x = b, or x op(a) = b."""
    left, lower = _option(call, "side", L=True, R=False), _is_lower(call)
    trans = _option(call, "trans_x", N=0, T=1, C=2)
    unit_diagonal = _option(call, "diag", U=True, N=False)
    return for_each_matrix(
        call, lambda a, b: (lapack.trsm(1, a, b, left, lower, trans, unit_diagonal),), [a, b], [2, 2]
    )


@runs(*_names("gtsv"))
def gtsv(call: CustomCall, dl: Any, d: Any, du: Any, b: Any) -> Any:
    """The factors' diagonals, x, info."""
    return for_each_matrix(call, lapack.gtsv, [dl, d, du, b], [1, 1, 1, 2])


def _older(
    name: str,
    first: int,
    routine: Callable[..., Routine],
    result: str | None,
    *,
    cores: Sequence[int] = (2,),
    library: str = "lapack",
) -> None:
    """Register a call's older form, of which the `first` operands tell what to run on each matrix of the others."""

    @runs(*_names(name, library=library, suffix=""))
    def handler(call: CustomCall, *operands: Any) -> Any:
        return for_each_matrix(call, routine(*operands[:first]), operands[first:], cores, first)

    handler.__doc__ = result


_older("potrf", 3, lambda lower, batch, n: lambda a: lapack.potrf(a, bool(lower)), potrf.__doc__)
_older("getrf", 3, lambda batch, m, n: lapack.getrf, getrf.__doc__)
_older("geqrf", 4, lambda batch, m, n, lwork: lambda a: (*lapack.geqrf(a), 0),
       "R with Householder vectors, their factors, info.")  # fmt: skip
_older("orgqr/ungqr", 5, lambda batch, m, n, k, lwork: lapack.orgqr, "Q, info.", cores=[2, 1])
_older("gesdd", 6, lambda full, vectors, batch, m, n, lwork: _svd(bool(vectors), bool(full)), svd.__doc__)
_older("syevd/heevd", 3, lambda lower, batch, n: lambda a: lapack.eigh(a, True, bool(lower)), eigh.__doc__)
_older("geev", 4,
       lambda batch, n, left, right: _geev(chr(int(left)) == "V", chr(int(right)) == "V", has_workspaces=True),
       "Eigenvalues, left and right eigenvectors, info, after the workspaces.")  # fmt: skip
_older("gees", 4, lambda batch, n, vectors, sort: _gees(chr(int(vectors)) == "V", is_older=True),
       "The Schur form, for complex numbers a workspace, eigenvalues, Schur vectors, the number selected, "
       "info.")  # fmt: skip
_older("gehrd", 6, lambda n, low, high, lda, batch, lwork: lambda a: lapack.gehrd(a, int(low), int(high)),
       gehrd.__doc__)  # fmt: skip
_older("sytrd/hetrd", 5, lambda n, lower, lda, batch, lwork: lambda a: lapack.sytrd(a, bool(lower)), sytrd.__doc__)
_older("trsm", 8,
       lambda left, lower, trans, unit_diagonal, m, n, batch, alpha: lambda a, b: (
           lapack.trsm(alpha, a, b, bool(left), bool(lower), int(trans), bool(unit_diagonal)),
       ),
       "x with op(a) x = alpha b, or x op(a) = alpha b; before them: left, lower, trans, unit diagonal, m, n, batch.",
       cores=[2, 2], library="blas")  # fmt: skip
