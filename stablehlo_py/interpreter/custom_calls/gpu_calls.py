"""The calls of CUDA's and ROCm's libraries that JAX emits, run by the routines for CPUs.

Results agree as factorizations: signs and order are free where mathematics leaves them free.
"""

from __future__ import annotations

import struct
from functools import partial
from typing import Any

import numpy as np

from ..ops.bodies import Array
from ..ops.random import threefry_2x32
from . import lapack
from .call import CustomCall
from .lapack_calls import geqp3, getrf, ormqr
from .matrices import for_each_matrix, runs_on_matrices
from .registry import runs

_HIP_UPPER, _CUDA_UPPER = 121, 1


def _names(*names: str) -> list[str]:
    """Return the targets of a call on both platforms, in the form with typed options and in the older one."""
    return [f"{platform}{name}{suffix}" for name in names for platform in ("cu", "hip") for suffix in ("_ffi", "")]


def _is_lower(call: CustomCall) -> bool:
    """Whether the lower triangle is meant. In older calls it is the second number of a descriptor of C integers."""
    config = call.backend_config
    if isinstance(config, dict):
        return bool(config["lower"])
    return struct.unpack_from("<i", call.opaque, 4)[0] not in (_HIP_UPPER, _CUDA_UPPER)


runs(*_names("solver_getrf", "blas_getrf_batched"))(getrf)
runs(*_names("solver_ormqr"))(ormqr)
runs("cuhybrid_geqp3", "hiphybrid_geqp3")(geqp3)


runs_on_matrices(
    _names("solver_potrf"),
    "The Cholesky factor, info.",
    lambda call: partial(lapack.potrf, lower=_is_lower(call)),
    has_workspaces=True,
)
runs_on_matrices(
    _names("solver_geqrf", "blas_geqrf_batched"),
    "R with Householder vectors, their factors; in the older form of the solver also info.",
    lambda _: lapack.geqrf,
)
runs_on_matrices(_names("solver_orgqr"), "Q; in the older form also info.", lambda _: lapack.orgqr, [2, 1])
runs_on_matrices(
    _names("solver_syevd", "solver_syevj"),
    "Eigenvectors, eigenvalues, info.",
    lambda call: partial(lapack.eigh, vectors=True, lower=_is_lower(call)),
    has_workspaces=True,
)
runs_on_matrices(
    _names("solver_sytrd"),
    "The tridiagonal form with Householder vectors, two diagonals, factors, info.",
    lambda call: partial(lapack.sytrd, lower=_is_lower(call)),
)
runs_on_matrices(
    [*_names("sparse_gtsv2"), *[f"{p}sparse_gtsv2_{t}" for p in ("cu", "hip") for t in ("f32", "f64")]],
    "x of a tridiagonal system.",
    lambda _: lambda *operands: lapack.gtsv(*operands)[3:4],
    [1, 1, 1, 2],
)

runs_on_matrices(
    [f"{platform}hybrid_eig_{kind}" for platform in ("cu", "hip") for kind in ("real", "comp")],
    "Eigenvalues, left and right eigenvectors, info.",
    lambda call: partial(lapack.geev, left=call.backend_config["left"], right=call.backend_config["right"]),
)


@runs(*_names("solver_geev"))
def geev(call: CustomCall, a: Array) -> Any:
    """Return the overwritten a, eigenvalues, left and right eigenvectors, and info."""
    config = call.backend_config
    left, right = bool(config.get("left", True)), bool(config.get("right", True))

    def routine(a: np.ndarray) -> tuple[Any, ...]:
        real, *imaginary, vl, vr, info = lapack.geev(a, left, right)
        return a, real + 1j * imaginary[0] if imaginary else real, vl, vr, info

    return for_each_matrix(call, routine, [a], [2])


@runs(*_names("solver_gesvd", "solver_gesdd"))
def gesvd(call: CustomCall, a: Array) -> Any:
    """Return the overwritten a, singular values, U, the adjoint of V, and info. Where the matrix is wide, JAX hands
    over its transpose, which is the same memory read row-major, and the vectors change places."""
    config, (*_, rows, columns) = call.backend_config, np.shape(a)
    if isinstance(config, dict):
        vectors, full, transposed = config["compute_uv"], config["full_matrices"], bool(config.get("transposed", False))
    else:  # the shapes of the results tell, in older calls
        u = call.op.tensor_result(2).shape[np.ndim(a) - 2 :]
        vectors, transposed = len(u) == 2, rows < columns
        full = vectors and u[0] == u[1]  # of the longer side

    def routine(a: np.ndarray) -> tuple[Any, ...]:
        a, s, u, vt, info = lapack.svd(a, vectors, full)
        return (a, s, vt, u, info) if transposed else (a, s, u, vt, info)

    return for_each_matrix(call, routine, [a], [2], order="row-major" if transposed else "column-major")


@runs(*_names("solver_gesvdj", "solver_gesvdp"))
def gesvdj(call: CustomCall, a: Array) -> Any:
    """Return the overwritten a, singular values, U, V (not its adjoint), and info."""
    rows, columns = np.shape(a)[-2:]
    full = call.op.tensor_result(2).shape[-1] == rows and call.op.tensor_result(3).shape[-1] == columns

    def routine(a: np.ndarray) -> tuple[Any, ...]:
        a, s, u, vt, info = lapack.svd(a, True, full)
        return a, s, u, vt.conj().T, info

    return for_each_matrix(call, routine, [a], [2])


@runs(*_names("solver_syrk"))
def syrk(call: CustomCall, a: Array, c: Array, alpha: Array, beta: Array) -> Any:
    """alpha a transpose(a) + beta c, or alpha transpose(a) a + beta c."""
    transpose = bool(call.backend_config["transpose"])

    def routine(a: np.ndarray, c: np.ndarray) -> tuple[Any, ...]:
        return (alpha * (a.T @ a if transpose else a @ a.T) + beta * c,)

    return for_each_matrix(call, routine, [a, c], [2, 2], order="row-major")


@runs("cu_cholesky_update_ffi")
def cholesky_update(call: CustomCall, r: Array, w: Array) -> Any:
    """Return the upper Cholesky factor of transpose(r) r + w transpose(w), and the overwritten w."""

    def routine(r: np.ndarray, w: np.ndarray) -> tuple[Any, ...]:
        r, w = r.copy(), w.copy()
        for k in range(w.size):
            length = np.hypot(r[k, k], w[k])
            cosine, sine = (r[k, k] / length, w[k] / length) if w[k] else (1, 0)
            r[k, k:], w[k:] = cosine * r[k, k:] + sine * w[k:], cosine * w[k:] - sine * r[k, k:]
        return r, w

    return for_each_matrix(call, routine, [r, w], [2, 1], order="row-major")


@runs(*_names("_lu_pivots_to_permutation"))
def lu_pivots_to_permutation(call: CustomCall, pivots: Array) -> Any:
    """Return the order of rows after each row is swapped with its pivot's row (from 0). Pivots outside are skipped, as
    the kernels do."""
    pivots = np.asarray(pivots)
    type_ = call.op.tensor_result()
    size = type_.shape[-1]
    if size is None:
        size = int(call.backend_config["permutation_size"])
    permutation = np.broadcast_to(np.arange(size, dtype=type_.dtype), (*pivots.shape[:-1], size)).copy()
    for batch in np.ndindex(pivots.shape[:-1]):
        row = permutation[batch]
        for index, pivot in enumerate(pivots[batch]):
            if not 0 <= pivot < size:
                continue
            row[[index, pivot]] = row[[pivot, index]]
    return permutation


@runs(*_names("_threefry2x32"))
def threefry2x32(call: CustomCall, *operands: Array) -> Any:
    """Two arrays of random words, for two arrays of keys and two of counters."""
    key0, key1, counter0, counter1 = operands[:4]
    return tuple(threefry_2x32((counter0, counter1), (key0, key1)))
