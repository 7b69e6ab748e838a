"""Ops that take or replace a box of elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..op import Kernel, Op
from ..registry import evaluates
from ..settings import require_memory
from .bodies import Array

_LARGEST = np.iinfo(np.int64).max


def as_indices(indices: Array) -> np.ndarray:
    """Return integers of any type as int64; larger ones become the largest."""
    if indices.dtype == np.uint64:
        indices = np.minimum(indices, np.uint64(_LARGEST))
    return np.asarray(indices).astype(np.int64, copy=False)


def index_list(indices: Array) -> list[int]:
    """A list of what `as_indices` gives for a tensor of one dimension."""
    return as_indices(indices).tolist()


def take_box(operand: Array, box: tuple[slice, ...]) -> Array:
    """operand[box]: a view, or a copy where a view would keep more than twice its size of memory alive."""
    part = operand[box]
    owner = part.base
    return part.copy() if isinstance(owner, np.ndarray) and owner.nbytes > 2 * part.nbytes else part


@evaluates("stablehlo.slice")
def slice_(op: Op) -> Kernel:
    """result[result_index] = operand[start_indices + result_index * strides]. Spec: slice."""
    limits = zip(op.ints("start_indices"), op.ints("limit_indices"), op.ints("strides"), strict=True)
    box = tuple([slice(start, limit, stride) for start, limit, stride in limits])
    return lambda operand: take_box(operand, box)


def clamped_box(start_indices: Sequence[Array], sizes: Sequence[int], shape: Sequence[int]) -> tuple[slice, ...]:
    """Return the box of `sizes` that starts at clamp(0, start_indices, shape - sizes)."""
    starts = [
        min(max(int(start), 0), dimension_size - size)
        for start, dimension_size, size in zip(start_indices, shape, sizes, strict=True)
    ]
    return tuple([slice(start, start + size) for start, size in zip(starts, sizes, strict=True)])


@evaluates("stablehlo.dynamic_slice")
def dynamic_slice(op: Op) -> Kernel:
    """result[result_index] = operand[clamp(0, start_indices, shape(operand) - slice_sizes) + result_index].
    Spec: dynamic_slice."""
    slice_sizes = op.ints("slice_sizes")

    def kernel(operand: Array, *start_indices: Array) -> Array:
        return take_box(operand, clamped_box(start_indices, slice_sizes, operand.shape))

    return kernel


@evaluates("stablehlo.dynamic_update_slice")
def dynamic_update_slice(op: Op) -> Kernel:
    """operand with update at clamp(0, start_indices, shape(operand) - shape(update)). Spec: dynamic_update_slice."""

    def kernel(operand: Array, update: Array, *start_indices: Array) -> np.ndarray:
        result = np.array(operand)
        result[clamped_box(start_indices, update.shape, operand.shape)] = update
        return result

    return kernel


@evaluates("stablehlo.real_dynamic_slice")
def real_dynamic_slice(op: Op) -> Kernel:
    """operand[start_indices:limit_indices:strides], all three known only when run.

    Indices must satisfy 0 <= start_indices <= limit_indices <= shape(operand) and 0 < strides."""

    def kernel(operand: Array, start_indices: Array, limit_indices: Array, strides: Array) -> Array:
        starts, limits, steps = index_list(start_indices), index_list(limit_indices), index_list(strides)
        bounds = zip(starts, limits, operand.shape, strict=True)
        if not all(0 <= start <= limit <= size for start, limit, size in bounds):
            slices = f"slices [{starts}, {limits}]"
            raise op.error(f"{slices}, which is outside the operand's shape {list(operand.shape)}")
        if steps and min(steps) < 1:
            raise op.error(f"has strides {steps}, which must be positive")
        parts = list(zip(starts, limits, steps, strict=True))
        require_memory([len(range(*part)) for part in parts], operand.dtype)
        return take_box(operand, tuple([slice(*part) for part in parts]))

    return kernel
