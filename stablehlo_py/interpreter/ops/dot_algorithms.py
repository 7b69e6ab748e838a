"""Products of matrices as the algorithm of a dot_general says: of operands in its precisions, or in components."""

from __future__ import annotations

import math

import numpy as np

from ...bindings.dimension_numbers import DotAlgorithm
from ...bindings.types import element_type
from .matmul import Multiply


def _round_to(values: np.ndarray, precision: str) -> np.ndarray:
    """Return values of f32 or f64 rounded to a float type of MLIR, in the type they had."""
    if precision != "tf32":
        return values.astype(element_type(precision).dtype).astype(values.dtype)
    bits = np.asarray(values, np.float32).view(np.uint32)  # tf32 is f32 without the last 13 bits of the mantissa
    rounded = (bits + np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1))) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), rounded.view(np.float32).astype(values.dtype), values)


def _components(values: np.ndarray, precision: str, count: int) -> list[np.ndarray]:
    """Return values of the precision whose sum comes as close to `values` as their number allows, the largest first."""
    parts: list[np.ndarray] = []
    for _ in range(count):
        part = _round_to(values, precision)
        parts.append(part)
        values = np.where(np.isfinite(part), values - part, values.dtype.type(0))
    return parts


def matmul_by(algorithm: DotAlgorithm, multiply: Multiply) -> Multiply:
    """Return the matmul of an algorithm. Operands are rounded to their precisions, or split into components, whose most
    significant pairs are multiplied. Products are summed in the accumulation type, the smallest first."""
    operations = algorithm.num_primitive_operations
    # The dialect knows decompositions by their operations alone, and wants the counts to be one.
    needed = math.isqrt(operations - 1) + 1
    left, right = max(algorithm.lhs_component_count, needed), max(algorithm.rhs_component_count, needed)
    pairs = sorted([(i, j) for i in range(left) for j in range(right)], key=sum)[:operations]
    accumulation = np.dtype(np.float32)
    if algorithm.accumulation_type != "tf32":
        accumulation = element_type(algorithm.accumulation_type).dtype
    wide = np.dtype(np.float64 if accumulation == np.float64 else np.float32)

    def multiply_parts(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype) -> np.ndarray:
        lhs_parts = _components(lhs.astype(wide), algorithm.lhs_precision_type, left)
        rhs_parts = _components(rhs.astype(wide), algorithm.rhs_precision_type, right)
        total = np.zeros((), accumulation)
        for i, j in reversed(pairs):
            lhs_part, rhs_part = lhs_parts[i], rhs_parts[j]
            if i or j:  # infinity times the zero that is left of the other operand would be NaN
                lhs_part, rhs_part = [np.where(np.isfinite(part), part, 0) for part in (lhs_part, rhs_part)]
            product = multiply(lhs_part, rhs_part, wide)
            total = total + _round_to(product, algorithm.accumulation_type).astype(accumulation)
        return np.asarray(total).astype(dtype)

    return multiply_parts
