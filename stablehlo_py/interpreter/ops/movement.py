"""Ops that move elements without looking at them. Results are views of the operands where numpy can make one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...bindings.types import TensorType
from ..few import FEW_COPIED
from ..op import Kernel, Op
from ..registry import evaluates
from ..values import Value
from .bodies import Array


def broadcast_array(operand: Array, broadcast_dimensions: Sequence[int], shape: Sequence[int]) -> np.ndarray:
    """result[result_index] = operand[operand_index] with operand_index[d] = result_index[broadcast_dimensions[d]],
    or 0 where dim(operand, d) = 1: of shape `shape`, and a view unless it is small. Spec: broadcast_in_dim."""
    order, expanded = _broadcast_layout(tuple(broadcast_dimensions), operand.shape, len(shape))
    return spread(operand.transpose(order).reshape(expanded), shape)


def spread(source: Array, shape: Sequence[int]) -> np.ndarray:
    """source repeated along its dimensions of size one, and along new ones before them, to be of shape `shape`: a view
    unless it is small."""
    if math.prod(shape) > FEW_COPIED:
        return np.broadcast_to(source, tuple(shape))
    result = np.empty(shape, source.dtype)
    result[...] = source
    return result


@lru_cache(1024)
def _broadcast_layout(
    broadcast_dimensions: tuple[int, ...], operand_shape: tuple[int, ...], rank: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The operand's dimensions in the result's order, and its shape with ones for the result's other dimensions."""
    expanded = [1] * rank
    for dimension, size in zip(broadcast_dimensions, operand_shape, strict=True):
        expanded[dimension] = size
    order = sorted(range(len(broadcast_dimensions)), key=broadcast_dimensions.__getitem__)
    return tuple(order), tuple(expanded)


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

    if not result.is_static:
        return kernel
    shape = result.static_shape
    if math.prod(shape) <= FEW_COPIED and op.tensor_operand(0).is_static:
        return _small_broadcast(op, shape)
    return lambda operand: broadcast_array(operand, broadcast_dimensions, shape)


def _small_broadcast(op: Op, shape: tuple[int, ...]) -> Kernel:
    """broadcast_in_dim to few elements, which are copied in less time than a view takes to make."""
    broadcast_dimensions = op.ints("broadcast_dimensions")
    order, expanded = _broadcast_layout(broadcast_dimensions, op.tensor_operand(0).static_shape, len(shape))
    dtype = op.tensor_result().dtype

    def kernel(operand: Array) -> np.ndarray:
        result = np.empty(shape, dtype)
        result[...] = operand.transpose(order).reshape(expanded) if order else operand
        return result

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
    return lambda *inputs: np.concatenate(inputs, axis=dimension)


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


def _pad_dimension(size: int, low: int, high: int, interior: int) -> tuple[int, slice, slice]:
    """A padded dimension's size, which part of the operand is in it, and where."""
    step = interior + 1
    padded = max(low + max((size - 1) * step + 1, 0) + high, 0)
    first = max(-(low // step), 0)  # the smallest i with low + i * step >= 0
    last = min((padded - 1 - low) // step, size - 1)  # the largest i with low + i * step < padded
    count = max(last - first + 1, 0)
    start = max(low + first * step, 0)
    return padded, slice(first, first + count), slice(start, start + count * step, step)


@lru_cache(1024)
def _pad_layout(
    shape: tuple[int, ...], low: tuple[int, ...], high: tuple[int, ...], interior: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[slice, ...], tuple[slice, ...]]:
    """The padded shape, which part of the operand is in it, and where."""
    dimensions = [_pad_dimension(*sizes) for sizes in zip(shape, low, high, interior, strict=True)]
    return (
        tuple([size for size, _, _ in dimensions]),
        tuple([part for _, part, _ in dimensions]),
        tuple([place for _, _, place in dimensions]),
    )


def pad_shape(
    shape: Sequence[int], low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> tuple[int, ...]:
    """The shape of the result of `pad_array`."""
    return _pad_layout(tuple(shape), tuple(low), tuple(high), tuple(interior))[0]


def pad_array(
    operand: Array, padding_value: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> np.ndarray:
    """operand with padding_value before, after (removing elements where negative) and between its elements.

    The operand itself where there is nothing to add or remove. Spec: pad."""
    if not any(low) and not any(high) and not any(interior):
        return np.asarray(operand)
    shape, part, place = _pad_layout(operand.shape, tuple(low), tuple(high), tuple(interior))
    result = np.empty(shape, operand.dtype)
    result[...] = padding_value
    source = operand[part]
    if source.size:
        result[place] = source
    return result


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
        return pad_array(operand, operand.dtype.type(0), [0] * operand.ndim, high, [0] * operand.ndim)

    return kernel
