"""dot_general and the ops that come down to it: dot, einsum, unary_einsum."""

from __future__ import annotations

import math

import numpy as np

from ...bindings.dimension_numbers import DotAlgorithm, DotDimensionNumbers
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array
from .dot_algorithms import matmul_by
from .matmul import Multiply, accumulator, multiplication


def matmul_of(op: Op) -> Multiply:
    """Return `matmul` as the settings of the op's program say."""

    def multiply(lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype) -> np.ndarray:
        return multiplication(op.program, lhs.size * rhs.shape[-1])(lhs, rhs, dtype)

    return multiply


def dot_general_array(
    lhs: Array, rhs: Array, dims: DotDimensionNumbers, dtype: np.dtype, multiply: Multiply
) -> np.ndarray:
    """Return the dot products between slices of lhs and rhs, as a batch of products of matrices. Spec: dot_general."""
    lhs_batching, rhs_batching = dims.lhs_batching_dimensions, dims.rhs_batching_dimensions
    lhs_contracting, rhs_contracting = dims.lhs_contracting_dimensions, dims.rhs_contracting_dimensions
    lhs_result = [d for d in range(lhs.ndim) if d not in (*lhs_batching, *lhs_contracting)]
    rhs_result = [d for d in range(rhs.ndim) if d not in (*rhs_batching, *rhs_contracting)]
    batches = [lhs.shape[d] for d in lhs_batching]
    rows, columns = [lhs.shape[d] for d in lhs_result], [rhs.shape[d] for d in rhs_result]
    batch, contracted = math.prod(batches), math.prod([lhs.shape[d] for d in lhs_contracting])
    left = lhs.transpose(*lhs_batching, *lhs_result, *lhs_contracting).reshape(batch, math.prod(rows), contracted)
    right = rhs.transpose(*rhs_batching, *rhs_contracting, *rhs_result).reshape(batch, contracted, math.prod(columns))
    return multiply(left, right, dtype).reshape([*batches, *rows, *columns])


@evaluates("stablehlo.dot_general", "stablehlo.dot")
def dot_general(op: Op) -> Kernel:
    """Dot products between slices of lhs and of rhs. Spec: dot_general."""
    dims = DotDimensionNumbers.of_op(op.operation, op.tensor_operand(0).rank)
    dtype = op.tensor_result().dtype
    if not op.has("algorithm"):
        multiply = matmul_of(op)
        return lambda lhs, rhs: dot_general_array(lhs, rhs, dims, dtype, multiply)
    algorithm = DotAlgorithm.of(op.attribute("algorithm"))
    if op.tensor_operand(0).dtype.kind == "c":
        raise op.error("has an algorithm, but algorithms are for real numbers and its operands are complex")
    multiply = matmul_by(algorithm, matmul_of(op))
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
    """Whether no label occurs twice in an operand, and each label of one operand alone is in the result."""
    lhs, rhs = map(set, sides)
    return len(lhs) == len(sides[0]) and len(rhs) == len(sides[1]) and lhs ^ rhs == (lhs ^ rhs) & set(result)


def _contraction(sides: list[str], result: str, dtype: np.dtype, multiply: Multiply) -> Kernel:
    lhs, rhs = sides
    batch = [label for label in lhs if label in rhs and label in result]
    summed = [label for label in lhs if label in rhs and label not in result]
    axes = [[side.index(label) for label in labels] for labels in (batch, summed) for side in sides]
    dims = DotDimensionNumbers(*axes)
    found = batch + [label for side in sides for label in side if label not in (*batch, *summed)]
    order = [found.index(label) for label in result]
    return lambda left, right: dot_general_array(left, right, dims, dtype, multiply).transpose(order)
