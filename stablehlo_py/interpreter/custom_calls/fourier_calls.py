"""Fourier transforms of the library that JAX used on CPUs, whose first operand is a descriptor in a flatbuffer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...bindings.flatbuffers import Table
from ..ops.bodies import Array
from ..ops.discrete_fourier import inverse_real_transform, real_transform, transform
from .call import CustomCall
from .registry import runs

_C2R, _R2C = 1, 2


@runs("ducc_fft")
def ducc_fft(call: CustomCall, descriptor: Array, operand: Array) -> Any:
    """The transform over axes of the descriptor: element type, kind, shape, strides, axes, forward, scale."""
    table = Table.root(np.asarray(descriptor).tobytes())
    shape = call.op.tensor_result().static_shape
    axes, forward = table.numbers(5, "I"), bool(table.number(6, "B"))
    result = _transformed(operand, int(table.number(1, "B")), axes, forward, shape) * table.number(7, "d")
    return result.astype(call.op.tensor_result().dtype)


@runs("dynamic_ducc_fft")
def dynamic_ducc_fft(call: CustomCall, descriptor: Array, operand: Array, *sizes: Array) -> Any:
    """As ducc_fft, with the shape, strides and scale as operands."""
    table = Table.root(np.asarray(descriptor).tobytes())
    type_, scale = call.op.tensor_result(), float(np.asarray(sizes[-1]).reshape(-1)[0])
    shape = type_.static_shape if type_.is_static else [int(size) for size in sizes[0]]
    kind, axes, forward = int(table.number(2, "B")), table.numbers(3, "I"), bool(table.number(4, "B"))
    result = _transformed(operand, kind, axes, forward, shape) * scale
    return result.astype(call.op.tensor_result().dtype)


def _transformed(operand: Array, kind: int, axes: list[int], forward: bool, shape: Sequence[int]) -> np.ndarray:
    """Return the transform without a factor. `shape` is the shape of the real side, if one side is real."""
    array = np.asarray(operand)
    lengths = [shape[axis] for axis in axes]
    if kind == _R2C:
        return real_transform(array, axes)
    if kind == _C2R:
        return inverse_real_transform(array, axes, lengths[-1]) * math.prod(lengths)
    return transform(array, axes) if forward else transform(array, axes, inverse=True) * math.prod(lengths)
