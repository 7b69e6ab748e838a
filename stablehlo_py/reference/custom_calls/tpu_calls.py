"""The calls that XLA's compiler expands itself: those of JAX for TPUs. Matrices are what the program says they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...bindings.types import TensorType, TupleType
from ..ops.bodies import Array
from . import lapack
from .call import CustomCall
from .registry import runs


def _stacked(call: CustomCall, routine: Callable[..., Sequence[Any]], operands: Sequence[Any]) -> Any:
    """The results of `routine` for each matrix, by the leading dimensions of the first operand."""
    arrays = [np.asarray(operand) for operand in operands]
    types = call.result_types[0].types if isinstance(call.result_types[0], TupleType) else call.result_types
    batch = arrays[0].shape[:-2]
    rows = [routine(*[array[index] for array in arrays]) for index in np.ndindex(batch)] if arrays[0].size else []
    results = []
    for index, type_ in enumerate(types):
        if not isinstance(type_, TensorType):
            raise call.op.error(f"expects tensors, not {type_}")
        values = [np.asarray(row[index], type_.dtype) for row in rows]
        results.append(
            np.stack(values).reshape((*batch, *values[0].shape))
            if values
            else np.zeros(type_.static_shape, type_.dtype)
        )
    return tuple(results) if isinstance(call.result_types[0], TupleType) or len(types) > 1 else results[0]


@runs("Eigh")
def eigh(call: CustomCall, a: Array) -> Any:
    """Eigenvectors and eigenvalues, ascending whether or not the options ask for it."""
    lower = call.backend_config.split(",")[0].strip() == "1"
    return _stacked(call, lambda a: lapack.eigh(a, True, lower), [a])


@runs("Qr")
def qr(call: CustomCall, a: Array) -> Any:
    """R with Householder vectors, their factors."""
    return _stacked(call, lapack.geqrf, [a])


@runs("ProductOfElementaryHouseholderReflectors")
def product_of_reflectors(call: CustomCall, a: Array, tau: Array) -> Any:
    """Q."""
    return _stacked(call, lapack.orgqr, [a, tau])


@runs("LuDecomposition")
def lu_decomposition(call: CustomCall, a: Array) -> Any:
    """The LU factors, pivots (from 0), and the order of rows that they leave."""

    def routine(a: np.ndarray) -> tuple[Any, ...]:
        lu, pivots, _ = lapack.getrf(a)
        permutation = np.arange(a.shape[0])
        for index, pivot in enumerate(pivots - 1):
            permutation[[index, pivot]] = permutation[[pivot, index]]
        return lu, pivots - 1, permutation

    return _stacked(call, routine, [a])
