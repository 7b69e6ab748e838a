"""dot_general and the ops that come down to it: dot, einsum, unary_einsum."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...bindings.attributes import DotAlgorithm, DotDims
from ...bindings.types import element_type
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array
from .matmul import accumulator, is_in_order


def _round_to(values: np.ndarray, precision: str) -> np.ndarray:
    """Values of f32 or f64 rounded to a float type of MLIR, in the type they had."""
    if precision != "tf32":
        return values.astype(element_type(precision).dtype).astype(values.dtype)
    bits = np.asarray(values, np.float32).view(np.uint32)  # tf32 is f32 without the last 13 bits of the mantissa
    rounded = (bits + np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1))) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), rounded.view(np.float32).astype(values.dtype), values)


def _components(values: np.ndarray, precision: str, count: int) -> list[np.ndarray]:
    """Values of the precision whose sum comes as close to `values` as their number allows, the largest first."""
    parts: list[np.ndarray] = []
    for _ in range(count):
        part = _round_to(values, precision)
        parts.append(part)
        values = np.where(np.isfinite(part), values - part, values.dtype.type(0))
    return parts


Multiply = Callable[[np.ndarray, np.ndarray, np.dtype], np.ndarray]  # a product of matrices, and its dtype


def _algorithmic_matmul(algorithm: DotAlgorithm, multiply: Multiply) -> Multiply:
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


def matmul_of(op: Op) -> Multiply:
    """`matmul` as the settings of the op's program say."""
    deterministic = op.program.settings.deterministic

    def multiply(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype) -> np.ndarray:
        return op.program.acceleration.matmul(lhs, rhs, dtype, is_in_order(lhs.size * rhs.shape[-1], deterministic))

    return multiply


def dot_general_array(lhs: Array, rhs: Array, dims: DotDims, dtype: np.dtype, multiply: Multiply) -> np.ndarray:
    """Dot products between slices of lhs and of rhs, as one batch of matrix products. Spec: dot_general."""
    lhs_order, lhs_shape, rhs_order, rhs_shape, shape = _dot_layout(dims, lhs.shape, rhs.shape)
    left, right = lhs.transpose(lhs_order).reshape(lhs_shape), rhs.transpose(rhs_order).reshape(rhs_shape)
    return multiply(left, right, dtype).reshape(shape)


def _dot_layout(dims: DotDims, lhs: tuple[int, ...], rhs: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The orders and shapes in which such operands are batches of matrices, and the shape of the result."""
    lhs_removed = {*dims.lhs_batching_dimensions, *dims.lhs_contracting_dimensions}
    rhs_removed = {*dims.rhs_batching_dimensions, *dims.rhs_contracting_dimensions}
    lhs_result = tuple([d for d in range(len(lhs)) if d not in lhs_removed])
    rhs_result = tuple([d for d in range(len(rhs)) if d not in rhs_removed])
    batch = [lhs[d] for d in dims.lhs_batching_dimensions]
    rows, columns = [lhs[d] for d in lhs_result], [rhs[d] for d in rhs_result]
    contracted = math.prod([lhs[d] for d in dims.lhs_contracting_dimensions])
    return (
        (*dims.lhs_batching_dimensions, *lhs_result, *dims.lhs_contracting_dimensions),
        (math.prod(batch), math.prod(rows), contracted),
        (*dims.rhs_batching_dimensions, *dims.rhs_contracting_dimensions, *rhs_result),
        (math.prod(batch), contracted, math.prod(columns)),
        (*batch, *rows, *columns),
    )


@evaluates("stablehlo.dot_general", "stablehlo.dot")
def dot_general(op: Op) -> Kernel:
    """Dot products between slices of lhs and of rhs. Spec: dot_general."""
    dims = DotDims.of_op(op.operation, op.tensor_operand(0).rank)
    dtype = op.tensor_result().dtype
    if not op.has("algorithm"):
        multiply = matmul_of(op)
        return lambda lhs, rhs: dot_general_array(lhs, rhs, dims, dtype, multiply)
    algorithm = DotAlgorithm.of(op.attribute("algorithm"))
    if op.tensor_operand(0).dtype.kind == "c":
        raise op.error("has an algorithm, but algorithms are for real numbers and its operands are complex")
    multiply = _algorithmic_matmul(algorithm, matmul_of(op))
    return lambda lhs, rhs: dot_general_array(lhs, rhs, dims, dtype, multiply)


@evaluates("stablehlo.einsum", "stablehlo.unary_einsum")
def einsum(op: Op) -> Kernel:
    """The sum, over the labels of einsum_config that the result has not, of products of elements of the operands."""
    equation = op.string("einsum_config")
    dtype = op.tensor_result().dtype
    wide = accumulator(dtype)
    labels, _, result = equation.partition("->")
    sides = labels.split(",")
    if len(sides) == 2 and _is_contraction(sides, result):
        return _contraction(sides, result, dtype, matmul_of(op))

    def kernel(*operands: Array) -> np.ndarray:
        converted = [operand.astype(wide, copy=False) for operand in operands]
        return np.einsum(equation, *converted).astype(dtype, copy=False)

    return kernel


def _is_contraction(sides: list[str], result: str) -> bool:
    """Whether no label stands twice in an operand, and those of one operand alone are in the result."""
    lhs, rhs = map(set, sides)
    return len(lhs) == len(sides[0]) and len(rhs) == len(sides[1]) and lhs ^ rhs == (lhs ^ rhs) & set(result)


def _contraction(sides: list[str], result: str, dtype: np.dtype, multiply: Multiply) -> Kernel:
    lhs, rhs = sides
    batch = [label for label in lhs if label in rhs and label in result]
    summed = [label for label in lhs if label in rhs and label not in result]
    places = [tuple([side.index(label) for label in labels]) for labels in (batch, summed) for side in sides]
    dims = DotDims(*places)
    found = batch + [label for side in sides for label in side if label not in (*batch, *summed)]
    order = [found.index(label) for label in result]
    return lambda left, right: dot_general_array(left, right, dims, dtype, multiply).transpose(order)
