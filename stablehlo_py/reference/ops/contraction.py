"""dot_general and the ops that come down to it: dot, einsum, unary_einsum."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...bindings.attributes import DotAlgorithm, DotDims
from ...bindings.types import element_type
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array

_BLAS = frozenset(map(np.dtype, "fdFD"))
_INTEGERS = frozenset(map(np.dtype, "bhilqBHILQ"))
_SUMMED_AS_THEY_ARE = _BLAS | _INTEGERS
_FEW = 1 << 12
"""Up to so many elements and products, there is nothing to gain by blocks or by way of floats."""
_BLOCK_BYTES = 1 << 22
"""How many bytes of wider copies are made at a time, or as many as the operands and the result have."""


def _accumulator(dtype: np.dtype) -> np.dtype:
    """The type to add up elements of `dtype` in: itself, or a wider one whose result is then rounded, or wrapped."""
    if dtype in _SUMMED_AS_THEY_ARE:
        return dtype
    return np.dtype(np.int64 if dtype.name.startswith(("int", "uint")) else np.float32)


def matmul(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """lhs @ rhs, batches of matrices, with the products and sums of `dtype`: modulo 2^bits for integers, logical for
    booleans. Floats narrower than 32 bits are accumulated in 32 and rounded once."""
    if dtype in _BLAS:
        return np.matmul(lhs.astype(dtype, copy=False), rhs.astype(dtype, copy=False))
    wide = _accumulator(dtype)
    multiply = _integer_matmul if wide in _INTEGERS else np.matmul
    if lhs.size + rhs.size + lhs.size * rhs.shape[-1] <= _FEW:
        return multiply(lhs.astype(wide, copy=False), rhs.astype(wide, copy=False)).astype(dtype, copy=False)
    result = np.empty((*lhs.shape[:-1], rhs.shape[-1]), dtype)
    for batch, rows, columns in _blocks(lhs, rhs, result, 4 if wide == np.float32 else 8):
        left = lhs[batch, rows].astype(wide, copy=False)
        right = rhs[batch, :, columns].astype(wide, copy=False)
        result[batch, rows, columns] = multiply(left, right).astype(dtype, copy=False)
    return result


def _blocks(
    lhs: np.ndarray, rhs: np.ndarray, result: np.ndarray, itemsize: int
) -> Iterator[tuple[slice, slice, slice]]:
    """Parts of a batch of matrix products whose operands and results, of `itemsize` bytes, are not too many."""
    arrays = (lhs, rhs, result)
    limit = max(_BLOCK_BYTES, sum([array.nbytes for array in arrays]))
    parts = max(-(-itemsize * sum([array.size for array in arrays]) // limit), 1)
    batch, rows, columns = result.shape
    batch_step = max(batch // parts, 1)
    sides = -(-parts // max(batch, 1))
    row_step, column_step = max(rows // sides, 1), max(columns // sides, 1)
    for first in range(0, batch, batch_step):
        for row in range(0, rows, row_step):
            for column in range(0, columns, column_step):
                yield (
                    slice(first, first + batch_step),
                    slice(row, row + row_step),
                    slice(column, column + column_step),
                )


def _largest(values: np.ndarray) -> int:
    return max(abs(int(values.min())), abs(int(values.max()))) if values.size else 0


def _integer_matmul(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """lhs @ rhs modulo 2^bits, by way of floats where no sum can pass what they hold exactly."""
    if lhs.size * rhs.shape[-1] <= _FEW:
        return np.matmul(lhs, rhs)
    bound = lhs.shape[-1] * _largest(lhs) * _largest(rhs)
    if bound > 1 << 53:
        return np.matmul(lhs, rhs)
    wide = np.float32 if bound <= 1 << 24 else np.float64
    exact = np.matmul(lhs.astype(wide), rhs.astype(wide))
    return exact.astype(np.int64).astype(lhs.dtype)


def _round_to(values: np.ndarray, precision: str) -> np.ndarray:
    """Values of f32 or f64 rounded to a float type of MLIR, in the type they had."""
    if precision != "tf32":
        return values.astype(element_type(precision).dtype).astype(values.dtype)
    bits = np.asarray(values, np.float32).view(np.uint32)  # tf32 is f32 without the last 13 bits of the mantissa
    rounded = (bits + np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1))) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), rounded.view(np.float32).astype(values.dtype), values)


def _components(values: np.ndarray, precision: str, count: int) -> list[np.ndarray]:
    """Values of the precision whose sum comes as close to `values` as so many can, the largest first."""
    parts: list[np.ndarray] = []
    for _ in range(count):
        part = _round_to(values, precision)
        parts.append(part)
        values = np.where(np.isfinite(part), values - part, values.dtype.type(0))
    return parts


def _algorithmic_matmul(algorithm: DotAlgorithm) -> Kernel:
    """matmul as the algorithm says: operands rounded to their precisions, or split into components of them of which
    the most significant pairs are multiplied; products summed in the accumulation type, the smallest first."""
    operations = algorithm.num_primitive_operations
    # The dialect knows decompositions by their operations alone, and wants the counts to be one.
    needed = math.isqrt(operations - 1) + 1
    left, right = max(algorithm.lhs_component_count, needed), max(algorithm.rhs_component_count, needed)
    pairs = sorted([(i, j) for i in range(left) for j in range(right)], key=sum)[:operations]
    accumulation = np.dtype(np.float32)
    if algorithm.accumulation_type != "tf32":
        accumulation = element_type(algorithm.accumulation_type).dtype
    wide = np.dtype(np.float64 if accumulation == np.float64 else np.float32)

    def multiply(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype) -> np.ndarray:
        lhs_parts = _components(lhs.astype(wide), algorithm.lhs_precision_type, left)
        rhs_parts = _components(rhs.astype(wide), algorithm.rhs_precision_type, right)
        total = np.zeros((), accumulation)
        for i, j in reversed(pairs):
            lhs_part, rhs_part = lhs_parts[i], rhs_parts[j]
            if i or j:  # infinity times the zero that is left of the other operand would be NaN
                lhs_part, rhs_part = [np.where(np.isfinite(part), part, 0) for part in (lhs_part, rhs_part)]
            product = np.matmul(lhs_part, rhs_part)
            total = total + _round_to(product, algorithm.accumulation_type).astype(accumulation)
        return np.asarray(total).astype(dtype)

    return multiply


def dot_general_array(lhs: Array, rhs: Array, dims: DotDims, dtype: np.dtype, multiply: Kernel = matmul) -> np.ndarray:
    """Dot products between slices of lhs and of rhs, as one batch of matrix products. Spec: dot_general."""
    lhs_removed = {*dims.lhs_batching_dimensions, *dims.lhs_contracting_dimensions}
    rhs_removed = {*dims.rhs_batching_dimensions, *dims.rhs_contracting_dimensions}
    lhs_result = [d for d in range(lhs.ndim) if d not in lhs_removed]
    rhs_result = [d for d in range(rhs.ndim) if d not in rhs_removed]
    batch = [lhs.shape[d] for d in dims.lhs_batching_dimensions]
    rows, columns = [lhs.shape[d] for d in lhs_result], [rhs.shape[d] for d in rhs_result]
    contracted = math.prod([lhs.shape[d] for d in dims.lhs_contracting_dimensions])
    transposed_lhs = lhs.transpose([*dims.lhs_batching_dimensions, *lhs_result, *dims.lhs_contracting_dimensions])
    transposed_rhs = rhs.transpose([*dims.rhs_batching_dimensions, *dims.rhs_contracting_dimensions, *rhs_result])
    product = multiply(
        transposed_lhs.reshape([math.prod(batch), math.prod(rows), contracted]),
        transposed_rhs.reshape([math.prod(batch), contracted, math.prod(columns)]),
        dtype,
    )
    return product.reshape([*batch, *rows, *columns])


@evaluates("stablehlo.dot_general")
def dot_general(op: Op) -> Kernel:
    """Dot products between slices of lhs and of rhs. Spec: dot_general."""
    dims = DotDims.of(op.attribute("dot_dimension_numbers"))
    dtype = op.tensor_result().dtype
    if not op.has("algorithm"):
        return lambda lhs, rhs: dot_general_array(lhs, rhs, dims, dtype)
    algorithm = DotAlgorithm.of(op.attribute("algorithm"))
    if op.tensor_operand(0).dtype.kind == "c":
        raise op.error("has an algorithm, but algorithms are for real numbers and its operands are complex")
    multiply = _algorithmic_matmul(algorithm)
    return lambda lhs, rhs: dot_general_array(lhs, rhs, dims, dtype, multiply)


@evaluates("stablehlo.dot")
def dot(op: Op) -> Kernel:
    """lhs times rhs, vectors or matrices: the last dimension of lhs is contracted with the first of rhs."""
    dims = DotDims((), (), (op.tensor_operand(0).rank - 1,), (0,))
    dtype = op.tensor_result().dtype
    return lambda lhs, rhs: dot_general_array(lhs, rhs, dims, dtype)


@evaluates("stablehlo.einsum", "stablehlo.unary_einsum")
def einsum(op: Op) -> Kernel:
    """The sum, over the labels of einsum_config that the result has not, of products of elements of the operands."""
    equation = op.string("einsum_config")
    dtype = op.tensor_result().dtype
    wide = _accumulator(dtype)

    def kernel(*operands: Array) -> np.ndarray:
        converted = [operand.astype(wide, copy=False) for operand in operands]
        return np.einsum(equation, *converted, optimize=True).astype(dtype, copy=False)

    return kernel
