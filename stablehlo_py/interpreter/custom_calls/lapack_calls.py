"""The calls of LAPACK and BLAS that JAX emits for CPUs: with options in `mhlo.backend_config` (`…_ffi`), and of before,
with sizes and options as leading operands and workspaces as further results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from . import lapack
from .call import CustomCall
from .matrices import Routine, RoutineOf, runs_on_matrices
from .registry import Handler


def _calls(
    routines: str,
    results: str,
    routine_of: RoutineOf,
    cores: Sequence[int] = (2,),
    *,
    first: int = 0,
    library: str = "lapack",
) -> Handler:
    """Register the calls of routines in all element types; one after `/` is the name for complex numbers. In the older
    form the `first` operands tell what to run on each matrix of the others."""
    names = [(real, complex_) for real, _, complex_ in [routine.partition("/") for routine in routines.split()]]
    targets = [
        f"{library}_{prefix}{complex_ if complex_ and prefix in 'cz' else real}{'' if first else '_ffi'}"
        for real, complex_ in names
        for prefix in "sdcz"
    ]
    return runs_on_matrices(targets, results, routine_of, cores, first)


def _option(call: CustomCall, name: str, **meanings: Any) -> Any:
    """Return the meaning of a character of the options. Raises `InterpreterError` for any other character."""
    character = chr(call.backend_config[name])
    if character not in meanings:
        raise call.op.error(f"has {name} '{character}', expected one of {', '.join(meanings)}")
    return meanings[character]


def _is_lower(call: CustomCall) -> bool:
    return _option(call, "uplo", L=True, U=False)


def _plain(routine: Routine, *names: str) -> RoutineOf:
    """Return the routine with these options as they are."""
    return lambda call: partial(routine, **{name: call.backend_config[name] for name in names})


def _svd(call: CustomCall) -> Routine:
    vectors, full = _option(call, "mode", A=(True, True), S=(True, False), N=(False, False))
    return partial(lapack.svd, vectors=vectors, full=full, name="gesvd" if "gesvd" in call.target else "gesdd")


def _eigh(call: CustomCall) -> Routine:
    return partial(lapack.eigh, vectors=_option(call, "mode", V=True, N=False), lower=_is_lower(call))


def _geev(call: CustomCall) -> Routine:
    left, right = [_option(call, f"compute_{side}", V=True, N=False) for side in ("left", "right")]
    return partial(lapack.geev, left=left, right=right)


def _gees(call: CustomCall) -> Routine:
    vectors = _option(call, "mode", V=True, N=False)
    _option(call, "sort", N=False)
    return partial(lapack.gees, vectors=vectors)


def _trsm(call: CustomCall) -> Routine:
    left, lower = _option(call, "side", L=True, R=False), _is_lower(call)
    trans, unit_diagonal = _option(call, "trans_x", N=0, T=1, C=2), _option(call, "diag", U=True, N=False)
    return partial(lapack.trsm, left=left, lower=lower, trans=trans, unit_diagonal=unit_diagonal)


def _older_geev(_: CustomCall, batch: Any, n: Any, left: Any, right: Any) -> Routine:
    def routine(a: np.ndarray) -> tuple[Any, ...]:
        workspaces = [None] * (2 if a.dtype.kind == "c" else 3)
        return *workspaces, *lapack.geev(a, chr(int(left)) == "V", chr(int(right)) == "V")

    return routine


def _older_gees(_: CustomCall, batch: Any, n: Any, jobvs: Any, sort: Any) -> Routine:
    def routine(a: np.ndarray) -> tuple[Any, ...]:
        t, vs, *values, selected, info = lapack.gees(a, chr(int(jobvs)) == "V")
        return t, *([None] if a.dtype.kind == "c" else []), *values, vs, selected, info

    return routine


def _older_trsm(
    _: CustomCall, left: Any, lower: Any, trans: Any, unit_diagonal: Any, m: Any, n: Any, batch: Any, alpha: Any
) -> Routine:
    return lambda a, b: lapack.trsm(a, b, bool(left), bool(lower), int(trans), bool(unit_diagonal), alpha)


_CHOLESKY, _LU = "The Cholesky factor, info.", "The LU factors, pivots, info."
_QR = "R with Householder vectors, their factors."
_SVD = "Return the overwritten a, singular values, U, the adjoint of V, and info."
_EIGH = "Eigenvectors, eigenvalues, info."
_HESSENBERG = "The Hessenberg form with Householder vectors, their factors, info."
_TRIDIAGONAL = "The tridiagonal form with Householder vectors, two diagonals, factors, info."

_calls("potrf", _CHOLESKY, lambda call: partial(lapack.potrf, lower=_is_lower(call)))
getrf = _calls("getrf", _LU, lambda _: lapack.getrf)
_calls("geqrf", _QR, lambda _: lapack.geqrf)
geqp3 = _calls(
    "geqp3", "As geqrf with the permutation of columns after the first result.", lambda _: lapack.geqp3, [2, 1]
)
_calls("orgqr/ungqr", "Q.", lambda _: lapack.orgqr, [2, 1])
ormqr = _calls("ormqr/unmqr", "Q times c.", _plain(lapack.ormqr, "left", "transpose"), [2, 1, 2])
_calls("gesdd gesvd", _SVD, _svd)
_calls("syevd/heevd", _EIGH, _eigh)
_calls("geev", "Eigenvalues, left and right eigenvectors, info.", _geev)
_calls("gees", "The Schur form and vectors, eigenvalues, the number selected, info.", _gees)
_calls("gehrd", _HESSENBERG, _plain(lapack.gehrd, "low", "high"))
_calls("sytrd/hetrd", _TRIDIAGONAL, lambda call: partial(lapack.sytrd, lower=_is_lower(call)))
_calls("trsm", "x with op(a) x = b, or x op(a) = b.", _trsm, [2, 2])
_calls("gtsv", "The factors' diagonals, x, info.", lambda _: lapack.gtsv, [1, 1, 1, 2])

_calls("potrf", _CHOLESKY, lambda _, lower, batch, n: partial(lapack.potrf, lower=bool(lower)), first=3)
_calls("getrf", _LU, lambda _, batch, m, n: lapack.getrf, first=3)
_calls("geqrf", f"{_QR[:-1]}, info.", lambda _, batch, m, n, lwork: lapack.geqrf, first=4)
_calls("orgqr/ungqr", "Q, info.", lambda _, batch, m, n, k, lwork: lapack.orgqr, [2, 1], first=5)
_calls(
    "gesdd", _SVD, lambda _, full, vectors, *sizes: partial(lapack.svd, vectors=bool(vectors), full=bool(full)), first=6
)
_calls("syevd/heevd", _EIGH, lambda _, lower, batch, n: partial(lapack.eigh, vectors=True, lower=bool(lower)), first=3)
_calls("geev", "Eigenvalues, left and right eigenvectors, info, after the workspaces.", _older_geev, first=4)
_calls(
    "gees",
    "The Schur form, for complex numbers a workspace, eigenvalues, Schur vectors, the number selected, info.",
    _older_gees,
    first=4,
)
_calls(
    "gehrd", _HESSENBERG, lambda _, n, low, high, *sizes: partial(lapack.gehrd, low=int(low), high=int(high)), first=6
)
_calls("sytrd/hetrd", _TRIDIAGONAL, lambda _, n, lower, *sizes: partial(lapack.sytrd, lower=bool(lower)), first=5)
_calls(
    "trsm",
    "x with op(a) x = alpha b, or x op(a) = alpha b; before them: left, lower, trans, unit diagonal, m, n, batch.",
    _older_trsm,
    [2, 2],
    first=8,
    library="blas",
)
