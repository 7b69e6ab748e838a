"""Ops whose result's shape is an operand, and the ops on shapes that programs with such shapes contain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..op import Body, Kernel, Op
from ..registry import evaluates
from ..settings import require_memory
from ..values import Witness
from .bodies import Array, as_result
from .conversion import indices
from .movement import broadcast_array, pad_array
from .slicing import index_list


@evaluates("stablehlo.dynamic_broadcast_in_dim")
def dynamic_broadcast_in_dim(op: Op) -> Kernel:
    """As broadcast_in_dim, to output_dimensions. Spec: dynamic_broadcast_in_dim."""
    broadcast_dimensions = op.ints("broadcast_dimensions")

    def kernel(operand: Array, output_dimensions: Array) -> np.ndarray:
        shape = output_dimensions.tolist()
        require_memory(shape, operand.dtype)
        return broadcast_array(operand, broadcast_dimensions, shape)

    return kernel


@evaluates("stablehlo.dynamic_iota")
def dynamic_iota(op: Op) -> Kernel:
    """Values that count up from zero along iota_dimension, of output_shape. Spec: dynamic_iota."""
    iota_dimension, elements = op.int("iota_dimension"), op.tensor_result().element_type

    def kernel(output_shape: Array) -> np.ndarray:
        shape = output_shape.tolist()
        require_memory(shape, elements.dtype)
        return indices(op, shape, iota_dimension, elements)

    return kernel


@evaluates("stablehlo.dynamic_pad")
def dynamic_pad(op: Op) -> Kernel:
    """As pad, with the padding operands. Spec: dynamic_pad."""

    def kernel(operand: Array, padding_value: Array, *padding: Array) -> np.ndarray:
        low, high, interior = [tuple(index_list(part)) for part in padding]
        return pad_array(operand, padding_value, low, high, interior)

    return kernel


@evaluates("stablehlo.dynamic_reshape", "tensor.reshape")
def dynamic_reshape(op: Op) -> Kernel:
    """The elements of operand in the same order, of output_shape. Spec: dynamic_reshape."""

    def kernel(operand: Array, output_shape: Array) -> Array:
        shape = output_shape.tolist()
        if math.prod(shape) != operand.size or min(shape, default=0) < 0:
            raise op.error(f"cannot reshape {list(operand.shape)} to {shape}")
        return operand.reshape(shape)

    return kernel


_ON_VALUES: dict[str, Kernel] = {
    # The operand, as a type that says more or less of the same value.
    **dict.fromkeys(["tensor.cast", "shape.value_of", "shape.to_extent_tensor"], lambda operand: operand),
    **dict.fromkeys(["shape.size_to_index", "shape.index_to_size"], lambda operand: operand),
    "tensor.rank": lambda tensor: np.int64(tensor.ndim),
    "shape.shape_of": lambda operand: np.array(operand.shape, np.int64),
    "shape.concat": lambda lhs, rhs: np.concatenate([lhs, rhs]),
    "shape.num_elements": lambda shape: np.prod(shape, dtype=np.int64),
    "shape.rank": lambda shape: np.int64(shape.size),
    "shape.shape_eq": lambda first, *others: np.bool_(all(np.array_equal(first, other) for other in others)),
    # All constraints as one. A constraint that does not hold has ended the run before.
    "shape.assuming_all": lambda *witnesses: Witness(),
}


@evaluates(*_ON_VALUES)
def compute(op: Op) -> Kernel:
    """Compute with the operands' values, without attributes. The sizes of a shape are a tensor of index."""
    return _ON_VALUES[op.name]


@evaluates("shape.const_shape")
def const_shape(op: Op) -> Kernel:
    """The sizes that the attribute lists."""
    sizes = np.array(op.ints("shape"), np.int64)
    return lambda: sizes


def _broadcast(op: Op, shapes: Sequence[Array]) -> tuple[int, ...]:
    sizes = [tuple(index_list(shape)) for shape in shapes]
    try:
        return np.broadcast_shapes(*sizes)
    except ValueError:
        raise op.error(f"has shapes {', '.join(map(str, sizes))}, which do not broadcast") from None


@evaluates("shape.broadcast")
def shape_broadcast(op: Op) -> Kernel:
    """The shape that several shapes broadcast to."""
    return lambda *shapes: np.array(_broadcast(op, shapes), np.int64)


@evaluates("shape.get_extent")
def get_size(op: Op) -> Kernel:
    """One size of a shape, or one dimension of a tensor."""

    def kernel(shape: Array, dim: Array) -> np.int64:
        if not 0 <= int(dim) < shape.size:
            raise op.error(f"asks for size {int(dim)} of a shape of rank {shape.size}")
        return np.int64(shape[int(dim)])

    return kernel


@evaluates("tensor.dim", "shape.dim")
def tensor_dim(op: Op) -> Kernel:
    """The size of a dimension of a tensor."""

    def kernel(source: Array, index: Array) -> np.int64:
        if not 0 <= int(index) < source.ndim:
            raise op.error(f"asks for dimension {int(index)} of a tensor of rank {source.ndim}")
        return np.int64(source.shape[int(index)])

    return kernel


@evaluates("tensor.from_elements")
def from_elements(op: Op) -> Kernel:
    """A tensor of the operands, in major-to-minor order."""
    result = op.tensor_result()
    shape, dtype = result.static_shape, result.dtype
    return lambda *elements: np.array(elements, dtype).reshape(shape)


@evaluates("tensor.extract")
def tensor_extract(op: Op) -> Kernel:
    """One element of a tensor."""

    def kernel(tensor: Array, *indices: Array) -> Array:
        index = tuple(map(int, indices))
        if any(not 0 <= i < size for i, size in zip(index, tensor.shape, strict=True)):
            raise op.error(f"asks for the element at {list(index)} of a tensor of shape {list(tensor.shape)}")
        return tensor[index]

    return kernel


@evaluates("shape.cstr_broadcastable")
def cstr_broadcastable(op: Op) -> Kernel:
    """Nothing more than an error unless the shapes broadcast."""

    def kernel(*shapes: Array) -> Witness:
        _broadcast(op, shapes)
        return Witness()

    return kernel


@evaluates("shape.cstr_eq")
def cstr_eq(op: Op) -> Kernel:
    """Nothing more than an error unless the shapes are the same."""

    def kernel(first: Array, *others: Array) -> Witness:
        for other in others:
            if not np.array_equal(first, other):
                raise op.error(f"has shapes {first.tolist()} and {other.tolist()}, which differ")
        return Witness()

    return kernel


@evaluates("shape.cstr_require")
def cstr_require(op: Op) -> Kernel:
    """Nothing more than an error with the program's message unless the condition holds."""
    message = op.string("msg")

    def kernel(condition: Array) -> Witness:
        if not condition:
            raise op.error(message)
        return Witness()

    return kernel


@evaluates("shape.const_witness")
def const_witness(op: Op) -> Kernel:
    """Nothing more than an error unless passing."""
    passing = op.bool("passing")

    def kernel() -> Witness:
        if not passing:
            raise op.error("states a constraint that does not hold")
        return Witness()

    return kernel


@evaluates("shape.assuming")
def assuming(op: Op) -> Kernel:
    """Return the region's results; the region relies on the constraint."""

    def kernel(body: Body, witness: Witness) -> Any:
        results: tuple[Any, ...] = body()
        return as_result(results)

    return kernel
