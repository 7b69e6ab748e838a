"""XLA's calls between tensors of bounded dimensions and static ones, which come with the sizes of all dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings.types import TensorType, TupleType
from ..ops.bodies import Array, as_result
from .call import CustomCall
from .registry import runs


@runs("PadToStatic")
def pad_to_static(call: CustomCall, operand: Array) -> Any:
    """The operand, padded to its bounds with unspecified elements, here zeros, and the size of each dimension."""
    array = np.asarray(operand)
    first = call.result_types[0]
    padded = first.types[0] if isinstance(first, TupleType) else first
    if not isinstance(padded, TensorType) or not padded.is_static or padded.rank != array.ndim:
        raise call.op.error(f"pads to {padded}, expected a tensor of static shape and of rank {array.ndim}")
    margins = [largest - size for largest, size in zip(padded.static_shape, array.shape, strict=True)]
    if min(margins, default=0) < 0:
        raise call.op.error(f"pads an operand of shape {list(array.shape)} to {padded}, which is smaller")
    whole = np.pad(array, [(0, margin) for margin in margins]) if margins else array
    results = whole, *map(np.int32, array.shape)
    return results if isinstance(first, TupleType) else as_result(results)


@runs("SliceToDynamic")
def slice_to_dynamic(call: CustomCall, operand: Array, *sizes: Array) -> Any:
    """The elements of the operand below the size that the call gives for each dimension."""
    array, given = np.asarray(operand), [int(size) for size in sizes]
    if len(given) != array.ndim or any(not 0 <= size <= most for size, most in zip(given, array.shape, strict=True)):
        raise call.op.error(f"slices an operand of shape {list(array.shape)} to {given}, expected at most its sizes")
    return array[tuple(map(slice, given))].copy()
