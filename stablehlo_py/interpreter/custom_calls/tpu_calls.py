"""The calls of JAX for TPUs, which XLA's compiler expands itself. Matrices have the program's layouts."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from . import lapack
from .matrices import runs_on_matrices


def _getrf(a: np.ndarray) -> tuple[Any, ...]:
    lu, pivots, _ = lapack.getrf(a)
    permutation = np.arange(a.shape[0])
    for index, pivot in enumerate(pivots - 1):
        permutation[[index, pivot]] = permutation[[pivot, index]]
    return lu, pivots - 1, permutation


_runs = partial(runs_on_matrices, order="as the program")
_runs(
    ["Eigh"],
    "Eigenvectors and eigenvalues, ascending whether or not the options ask for it.",
    lambda call: partial(lapack.eigh, vectors=True, lower=call.backend_config.split(",")[0].strip() == "1"),
)
_runs(["Qr"], "R with Householder vectors, their factors.", lambda _: lapack.geqrf)
_runs(["ProductOfElementaryHouseholderReflectors"], "Q.", lambda _: lapack.orgqr, [2, 1])
_runs(["LuDecomposition"], "The LU factors, pivots (from 0), and the order of rows that they leave.", lambda _: _getrf)
