"""Products of matrices as exact sums rounded once: the same bits in any order, on every processor and BLAS.

Up to f32, products of elements are exact in double precision. A sum of k products in any order is off by at most k u /
(1 - k u) times the sum of their sizes, where u is 2^-53. The sum of sizes is at most the product of the norms of row
and column. If both ends of that interval round to the same element, that is the result. The others are summed exactly.

Doubles are cut into slices of about 20 bits: every sum of products of two slices is exact in double precision (Ozaki et
al., 2012). The products of the leading slices are added in double-double, and decided in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..element_types.double_double import bounds, two_product, two_sum
from ..element_types.rounding import nearest

_SINGLE = np.dtype(np.float32)
_SLICES = 4
_BLOCK = 1 << 17
"""The number of elements of the result that are decided at a time, so that they stay in the cache."""
_ROWS = 1 << 10
"""The number of undecided sums whose products are made at a time."""
_COUNTED_FROM = 1 / 64
"""The least share of undecided elements to count the products other than zero for."""


def exact_matmul(lhs: Any, rhs: Any, dtype: np.dtype) -> np.ndarray:
    """Return lhs @ rhs, batches of matrices of floats or complex numbers: each exact sum, as the nearest element."""
    result: Any = np.empty((*lhs.shape[:-1], rhs.shape[-1]), dtype)
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        left = np.concatenate([lhs.real, lhs.imag], axis=2)
        result.real = exact_matmul(left, np.concatenate([rhs.real, -rhs.imag], axis=1), part)
        result.imag = exact_matmul(left, np.concatenate([rhs.imag, rhs.real], axis=1), part)
        return result
    multiply = _by_doubles(rhs) if dtype == np.float64 else _by_singles(rhs.astype(np.float64), dtype)
    step = max(_BLOCK // max(len(lhs) * rhs.shape[2], 1), 64)
    for start in range(0, lhs.shape[1], step):
        result[:, start : start + step] = multiply(lhs[:, start : start + step].astype(np.float64))
    return result


def _by_singles(rhs: np.ndarray, dtype: np.dtype) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that multiplies matrices by these, of elements of types up to f32."""
    unit = np.sqrt(np.einsum("bij,bij->bj", rhs, rhs))[:, np.newaxis] * (2.0**-53 * (1 + 2.0**-10))

    def multiply(lhs: np.ndarray) -> np.ndarray:
        sums = lhs @ rhs + 0.0
        sizes = np.sqrt(np.einsum("bij,bij->bi", lhs, lhs))[:, :, np.newaxis]
        result, undecided = _rounded_sums(sums, sizes * lhs.shape[2] * unit, dtype)
        if len(undecided) > sums.size * _COUNTED_FROM:  # a sum of n products and of zeros is rounded n - 1 times
            counts = np.ceil(((lhs != 0).astype(np.float32) @ (rhs != 0).astype(np.float32)) * (1 + 2.0**-20))
            result, undecided = _rounded_sums(sums, np.maximum(counts - 1, 0) * sizes * unit, dtype)
        for start in range(0, len(undecided), _ROWS):
            batch, row, column = undecided[start : start + _ROWS].T
            result[batch, row, column] = _sums_of_rows(lhs[batch, row] * rhs[batch, :, column], dtype)
        return result

    return multiply


def _rounded_sums(sums: np.ndarray, errors: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return sums with these errors as elements of a type, and the indices of those that are undecided."""
    if dtype != _SINGLE:  # by way of f32, whose rounding counts as an error
        errors = errors + np.abs(sums) * 2.0**-23
        is_tiny = (errors < 2.0**-120) & (sums != 0)
        if np.count_nonzero(is_tiny):
            errors[is_tiny] += 2.0**-149
    low = np.asarray(nearest((sums - errors).astype(_SINGLE), dtype))
    high = np.asarray(nearest((sums + errors).astype(_SINGLE), dtype))
    bits = np.dtype(f"u{dtype.itemsize}")
    is_open = low.view(bits) != high.view(bits)
    if not np.isfinite(errors.max(initial=0.0)):
        is_infinite = ~np.isfinite(errors)
        low[is_infinite], is_open = nearest(sums[is_infinite].astype(_SINGLE), dtype), is_open & ~is_infinite
    return low, np.argwhere(is_open) if np.count_nonzero(is_open) else np.zeros((0, sums.ndim), np.int64)


def _sums_of_rows(products: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the sums of rows of doubles. Pairs are added with their errors, which are added with an error of less than
    k u log2(k) u times the sum of sizes."""
    count = products.shape[1]
    error = np.abs(products).sum(axis=1) * (count * count * 2.0**-104)
    hi, lo = products, np.zeros(len(products))
    while hi.shape[1] > 1:
        half = hi.shape[1] // 2
        total, rest = two_sum(hi[:, :half], hi[:, half : 2 * half])
        hi, lo = np.concatenate([total, hi[:, 2 * half :]], axis=1), lo + rest.sum(axis=1)
    low, high = bounds(hi[:, 0], lo, error)
    wide = np.abs(low) * 2.0**-52  # the ends are rounded to doubles first
    result, undecided = _rounded_sums((low + high) / 2, wide + (high - low), dtype)
    for index in undecided[:, 0].tolist():
        result[index] = nearest(_sum_to_odd(products[index].tolist()), dtype)
    return result


def _sum_to_odd(products: list[float]) -> np.float64:
    """Return the exact sum rounded to an odd double, which every narrower type rounds as the sum itself."""
    total = math.fsum(products)
    rest = math.fsum([*products, -total])
    if rest and not int(np.float64(total).view(np.int64)) & 1:
        total = math.nextafter(total, math.copysign(math.inf, rest))
    return np.float64(total)


# Doubles


def _slices(matrix: np.ndarray, axis: int, bits: int) -> tuple[list[np.ndarray | None], np.ndarray]:
    """Return the slices of rows or columns divided by powers of two not smaller than their elements, and the exponents
    of these; None for slices of zeros. The last slice is the rest, at most 2^-(bits `_SLICES` + 1)."""
    exponents = np.frexp(np.max(np.abs(matrix), axis=axis, keepdims=True, initial=0.0))[1]
    slices, rest = [], np.ldexp(matrix, -exponents)
    for index in range(1, _SLICES + 1):
        extractor = 1.5 * 2.0 ** (52 - bits * index)
        slices.append((rest + extractor) - extractor)
        rest = rest - slices[-1]
    return [each if each.any() else None for each in (*slices, rest)], exponents


def _by_doubles(rhs: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that multiplies matrices of f64 by these."""
    contracted = rhs.shape[1]
    bits = (53 - math.ceil(math.log2(max(contracted, 2)))) // 2 - 1
    right_is_finite, right = np.isfinite(rhs).all(axis=1)[:, np.newaxis], np.where(np.isfinite(rhs), rhs, 0.0)
    right_slices, right_exponents = _slices(right, 1, bits)

    def multiply(lhs: np.ndarray) -> np.ndarray:
        is_finite = np.isfinite(lhs).all(axis=2)[:, :, np.newaxis] & right_is_finite
        left = np.where(np.isfinite(lhs), lhs, 0.0)
        left_slices, left_exponents = _slices(left, 2, bits)
        hi = lo = rests = np.zeros((*lhs.shape[:2], rhs.shape[2]))
        error = contracted * 2.0**-1070
        for order in range(2 * _SLICES + 1):
            pairs = [
                (left_slices[first], right_slices[order - first])
                for first in range(max(order - _SLICES, 0), min(order, _SLICES) + 1)
            ]
            found = [(first, second) for first, second in pairs if first is not None and second is not None]
            if order >= _SLICES:  # elements of the slices are at most 2^-(bits times their number)
                error += len(found) * contracted * 2.0 ** (-bits * order)
            elif found:  # multiples of one power of two: up to four sums are added exactly
                hi, rest = two_sum(hi, sum([first @ second for first, second in found]))
                lo, rests = lo + rest, rests + np.abs(rest)
        low, high = bounds(hi, lo, error + rests * 2.0**-48)
        exponents = left_exponents + right_exponents
        low, high = np.ldexp(low, exponents), np.ldexp(high, exponents)
        is_open = ((low != high) | ((np.abs(low) < 2.0**-1021) & (hi != 0))) & is_finite
        for batch, row, column in np.argwhere(is_open).tolist():
            low[batch, row, column] = _exact_sum(left[batch, row], right[batch, :, column])
        if not is_finite.all():
            with_signs = [np.where(np.isfinite(side), np.sign(side), side) for side in (lhs, rhs)]
            low = np.where(is_finite, low, with_signs[0] @ with_signs[1])
        return low

    return multiply


def _exact_sum(lhs: np.ndarray, rhs: np.ndarray) -> float:
    """Return the sum of products: of doubles and their rounding errors, or of integers where these may underflow."""
    products, rests = two_product(lhs, rhs)
    sizes = np.abs(products[(lhs != 0) & (rhs != 0)])
    if not sizes.size or (
        sizes.min() > 2.0**-900 and sizes.max() < 2.0**900 and max(abs(lhs).max(), abs(rhs).max()) < 2.0**900
    ):
        return math.fsum([*products.tolist(), *rests.tolist()])
    total = sum(
        [_scaled_integer(left) * _scaled_integer(right) for left, right in zip(lhs.tolist(), rhs.tolist(), strict=True)]
    )
    try:
        return total / (1 << 2148)  # Python rounds the quotient of two integers once
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def _scaled_integer(number: float) -> int:
    """Return a double as a multiple of 2^-1074."""
    numerator, denominator = number.as_integer_ratio()
    return numerator * ((1 << 1074) // denominator)
