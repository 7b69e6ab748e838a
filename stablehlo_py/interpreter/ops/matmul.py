"""Products of batches of matrices.

Of fewer than `SEQUENTIAL_PRODUCTS` multiplications, the products are added from left to right, on every processor. From
there on BLAS multiplies floats, whose kernels add in an order that depends on the processor and on the number of
threads. `Settings.deterministic` asks for the same bits everywhere: then each sum is exact, and rounded once. Sums of
integers are exact in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..element_types.complex_numbers import product as complex_product
from ..op import ProgramContext
from .exact_sums import exact_matmul

Multiply = Callable[[np.ndarray, np.ndarray, np.dtype], np.ndarray]
"""A product of batches of matrices, of elements of a type."""
SEQUENTIAL_PRODUCTS = 1 << 21
INTEGERS = frozenset(map(np.dtype, "bhilqBHILQ"))
_SUMMED_AS_THEY_ARE = INTEGERS | frozenset(map(np.dtype, "fdFD"))


def accumulator(dtype: np.dtype) -> np.dtype:
    """Return the type to add up elements of `dtype` in: itself, or a wider one whose result is rounded, or wrapped."""
    if dtype in _SUMMED_AS_THEY_ARE or dtype.names is not None:
        return dtype
    return np.dtype(np.int64 if dtype.name.startswith(("int", "uint")) else np.float32)


def is_in_order(products: int) -> bool:
    """Whether a sum of this many products is added from left to right."""
    return products < SEQUENTIAL_PRODUCTS


def multiplication(program: ProgramContext, products: int) -> Multiply:
    """Return `matmul`, of this many multiplications, as the settings of a program say."""
    in_order = is_in_order(products)

    def multiply(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype) -> np.ndarray:
        wide = accumulator(dtype)
        if in_order or not program.settings.deterministic or wide in INTEGERS:
            return program.reading.matmul(lhs, rhs, dtype, in_order)
        return exact_matmul(lhs.astype(wide, copy=False), rhs.astype(wide, copy=False), dtype)

    return multiply


def matmul(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype, in_order: bool) -> np.ndarray:
    """Return lhs @ rhs, batches of matrices, with the products and sums of `dtype`.

    These are modulo 2^bits for integers, logical for booleans. Floats narrower than 32 bits are accumulated in 32 and
    rounded once.
    """
    wide = accumulator(dtype)
    multiply = add_in_order if in_order and wide not in INTEGERS else np.matmul
    return multiply(lhs.astype(wide, copy=False), rhs.astype(wide, copy=False)).astype(dtype, copy=False)


def add_in_order(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Return lhs @ rhs of floats or complex numbers. The products are added to zero from left to right."""
    total = np.zeros((*lhs.shape[:-1], rhs.shape[-1]), lhs.dtype)
    for k in range(lhs.shape[-1]):
        total += product(lhs[:, :, k, np.newaxis], rhs[:, k, np.newaxis, :])
    return total


def product(lhs: Any, rhs: Any) -> np.ndarray:
    """Return lhs * rhs, of complex numbers by the formula of their parts."""
    return complex_product(lhs, rhs, lhs.dtype) if lhs.dtype.kind == "c" else lhs * rhs
