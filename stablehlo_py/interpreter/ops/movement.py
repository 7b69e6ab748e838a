"""Ops that move elements without looking at them. Results are views of the operands where numpy can make one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...bindings.types import TensorType
from ..op import Kernel, Op
from ..registry import evaluates
from ..settings import require_bytes, require_memory
from ..values import Value
from .bodies import Array


def broadcast_array(operand: Array, broadcast_dimensions: Sequence[int], shape: Sequence[int]) -> np.ndarray:
    """Return a view of `shape` with dimension d of operand as dimension broadcast_dimensions[d].

    Spec: broadcast_in_dim.
    """
    expanded = [1] * len(shape)
    for dimension, size in zip(broadcast_dimensions, operand.shape, strict=True):
        expanded[dimension] = size
    order = sorted(range(operand.ndim), key=broadcast_dimensions.__getitem__)
    return np.broadcast_to(operand.transpose(order).reshape(expanded), tuple(shape))


@evaluates("stablehlo.broadcast_in_dim")
def broadcast_in_dim(op: Op) -> Kernel:
    """operand with dimension d as dimension broadcast_dimensions[d] of the result. Spec: broadcast_in_dim."""
    broadcast_dimensions = op.ints("broadcast_dimensions")
    result = op.tensor_result()

    def kernel(operand: Array) -> np.ndarray:
        shape = list(result.shape)
        for dimension, size in zip(broadcast_dimensions, operand.shape, strict=True):
            if shape[dimension] is None:
                shape[dimension] = size
        return broadcast_array(operand, broadcast_dimensions, [size for size in shape if size is not None])

    return kernel


@evaluates("stablehlo.broadcast")
def broadcast(op: Op) -> Kernel:
    """operand repeated along new leading dimensions of broadcast_sizes."""
    broadcast_sizes = op.ints("broadcast_sizes")
    return lambda operand: np.broadcast_to(operand, broadcast_sizes + operand.shape)


@evaluates("stablehlo.concatenate")
def concatenate(op: Op) -> Kernel:
    """The inputs one after the other along dimension. Spec: concatenate."""
    dimension = op.int("dimension")

    def kernel(*inputs: Array) -> np.ndarray:
        require_bytes(sum([each.nbytes for each in inputs]))
        return np.concatenate(inputs, axis=dimension)

    return kernel


@evaluates("stablehlo.reshape")
def reshape(op: Op) -> Kernel:
    """The elements of operand in the same major-to-minor order. Spec: reshape."""
    shape = tuple([-1 if size is None else size for size in op.tensor_result().shape])
    return lambda operand: operand.reshape(shape)


@evaluates("stablehlo.transpose")
def transpose(op: Op) -> Kernel:
    """result[result_index] = operand[operand_index] with result_index[d] = operand_index[permutation[d]].
    Spec: transpose."""
    permutation = op.ints("permutation")
    return lambda operand: operand.transpose(permutation)


@evaluates("stablehlo.reverse")
def reverse(op: Op) -> Kernel:
    """The elements of operand in opposite order along dimensions. Spec: reverse."""
    dimensions = op.ints("dimensions")
    rank = op.tensor_operand(0).rank
    index = tuple([slice(None, None, -1) if d in dimensions else slice(None) for d in range(rank)])
    return lambda operand: operand[index]


def pad_array(
    operand: Array, padding_value: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> np.ndarray:
    """Return operand with padding_value around and between its elements; negative edges cut. Spec: pad."""
    if not any((*low, *high, *interior)):
        return operand
    before, after = np.maximum(low, 0).tolist(), np.maximum(high, 0).tolist()
    spread = [max(size + (size - 1) * step, 0) for size, step in zip(operand.shape, interior, strict=True)]
    padded = [start + size + end for start, size, end in zip(before, spread, after, strict=True)]
    require_memory(padded, operand.dtype)
    result = np.full(padded, padding_value, operand.dtype)
    kept = zip(before, spread, interior, strict=True)
    result[tuple([slice(start, start + size, step + 1) for start, size, step in kept])] = operand
    edges = zip(low, high, result.shape, strict=True)
    return result[tuple([slice(max(-start, 0), max(size - max(-end, 0), 0)) for start, end, size in edges])]


@evaluates("stablehlo.pad")
def pad(op: Op) -> Kernel:
    """operand with padding_value around and between its elements. Spec: pad."""
    low, high = op.ints("edge_padding_low"), op.ints("edge_padding_high")
    interior = op.ints("interior_padding")
    return lambda operand, padding_value: pad_array(operand, padding_value, low, high, interior)


@evaluates("stablehlo.tuple")
def tuple_(op: Op) -> Kernel:
    """The values as one. Spec: tuple."""
    return lambda *values: values


@evaluates("stablehlo.get_tuple_element")
def get_tuple_element(op: Op) -> Kernel:
    """operand[index]. Spec: get_tuple_element."""
    index = op.int("index")
    return lambda operand: operand[index]


@evaluates("stablehlo.get_dimension_size")
def get_dimension_size(op: Op) -> Kernel:
    """The size of dimension of operand. Spec: get_dimension_size."""
    dimension = op.int("dimension")
    dtype = op.tensor_result().dtype.type
    return lambda operand: dtype(operand.shape[dimension])


@evaluates("stablehlo.set_dimension_size")
def set_dimension_size(op: Op) -> Kernel:
    """The first size elements of operand along dimension; where operand has fewer, zeros follow up to size.

    A bounded tensor's array has its actual size, so the elements past it are gone and read as zeros when the size
    grows again."""
    dimension = op.int("dimension")
    operand_type = op.operand_types[0]
    largest = None
    if isinstance(operand_type, TensorType):
        bounds = operand_type.bounds
        largest = bounds[dimension] if bounds and bounds[dimension] is not None else operand_type.shape[dimension]

    def kernel(operand: np.ndarray, size: Value) -> np.ndarray:
        wanted = int(size)  # type: ignore[arg-type]
        if wanted < 0 or (largest is not None and wanted > largest):
            raise op.error(f"size {wanted} is outside [0, {largest}]")
        high = [0] * operand.ndim
        high[dimension] = wanted - operand.shape[dimension]
        return pad_array(operand, np.zeros((), operand.dtype), [0] * operand.ndim, high, [0] * operand.ndim)

    return kernel
