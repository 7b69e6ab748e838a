"""Ops that change the element type: convert, bitcast_convert. And iota, which converts indices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from ...bindings.types import ElementType, Kind, element_type
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array


@evaluates("stablehlo.convert", by_types=True)
def convert(op: Op) -> Kernel:
    """operand with elements of another type. Spec: convert."""
    return op.converter(op.tensor_operand(0).element_type, op.tensor_result().element_type)


@evaluates("stablehlo.bitcast_convert", "arith.bitcast", by_types=True)
def bitcast_convert(op: Op) -> Kernel:
    """The bits of operand as elements of another type. Spec: bitcast_convert.

    Where the widths differ, the elements of a wider type are those of the narrower one's last dimension in
    little-endian order.
    """
    source, target = op.tensor_operand(0).element_type, op.tensor_result().element_type
    if source.bits == target.bits:
        return lambda operand: operand.view(target.dtype)
    parts = target.bits // source.bits

    def kernel(operand: Array) -> Array:
        if parts > 1 and operand.shape[-1] != parts:
            raise op.error(f"has a last dimension of {operand.shape[-1]}, an element of the result has {parts} parts")
        flat = np.ascontiguousarray(operand).reshape(-1, 1).view(np.uint8)
        bits = np.unpackbits(flat, axis=1, bitorder="little")[:, : source.bits]  # a row an element, the lowest first
        packed = np.packbits(bits.reshape(-1, target.bits), axis=1, bitorder="little")
        found = packed.astype(np.bool_) if target.kind is Kind.BOOLEAN else packed.view(target.dtype)
        return found.reshape(operand.shape[:-1] if parts else (*operand.shape, source.bits // target.bits))[()]

    return kernel


@evaluates("stablehlo.iota")
def iota(op: Op) -> Kernel:
    """Each index along iota_dimension, as an element. Spec: iota."""
    type_, dimension = op.tensor_result(), op.int("iota_dimension")
    return cache(lambda: indices(op, type_.static_shape, dimension, type_.element_type))


def indices(op: Op, shape: Sequence[int], dimension: int, elements: ElementType) -> np.ndarray:
    """A read-only array of this shape that holds at each element its index along `dimension`, as an element."""
    line = np.asarray(op.converter(element_type("i64"), elements)(np.arange(shape[dimension], dtype=np.int64)))
    return np.broadcast_to(line.reshape((-1,) + (1,) * (len(shape) - dimension - 1)), tuple(shape))
