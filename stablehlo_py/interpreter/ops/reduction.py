"""reduce.

The spec leaves the order to the implementation: any binary tree over the values in order. Sums of many values are
trees here, so their error grows with the logarithm of the count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...bindings.types import TensorType
from ..few import FEW_BESIDE, FEW_FOLDED
from ..op import Kernel, Op, RegionFacts
from ..plan import BoundPlan
from ..registry import evaluates
from . import one_by_one
from .bodies import EXTREMES, UFUNCS, Array, Arrays, OnArrays, as_arguments, as_result, on_arrays
from .extremes import Place, at_extreme, place_of_extreme
from .movement import broadcast_array

_FLOATS = frozenset(map(np.dtype, "efd"))
_INTEGERS = frozenset(map(np.dtype, "?bhilqBHILQ"))
_SUMMED = _INTEGERS | frozenset(map(np.dtype, "fdFD"))
"""The types in which numpy's sums and products round no more often than the body does."""

_ROWS = 64
"""From how many rows on numpy's starts take longer."""


def fold_pairs(combine: OnArrays, values: Arrays) -> Arrays:
    """The values along axis 0, of which there is at least one, folded: neighbours first, then neighbouring pairs."""
    while values[0].shape[0] > 1:
        values = _neighbours_folded(combine, values)
    return tuple([value[0] for value in values])


def _neighbours_folded(combine: OnArrays, values: Arrays) -> Arrays:
    count = values[0].shape[0]
    folded = combine(*[value[0 : count - 1 : 2] for value in values], *[value[1::2] for value in values])
    if count % 2:
        folded = tuple([np.concatenate([f, v[-1:]]) for f, v in zip(folded, values, strict=True)])
    return folded


def _sole_ufunc(facts: RegionFacts) -> np.ufunc | None:
    """The ufunc whose `reduce` does what the body does."""
    ufunc = UFUNCS.get(facts.sole_op)
    dtypes = _SUMMED if ufunc in (np.add, np.multiply) else _INTEGERS | _FLOATS
    first = facts.argument_types[0]
    return ufunc if len(facts.argument_types) == 2 and isinstance(first, TensorType) and first.dtype in dtypes else None


def _reduce_with(ufunc: np.ufunc, values: Array, axes: tuple[int, ...], init_value: Array) -> Array:
    if _has_short_rows(ufunc, values, axes):
        result: Any = init_value
        for position in range(values.shape[-1]):
            result = ufunc(result, values[..., position])
    else:
        result = ufunc.reduce(values, axis=axes, dtype=values.dtype, initial=init_value)
    if ufunc not in EXTREMES or values.dtype.kind != "f":
        return result
    zeros = result == 0
    if not zeros.any():
        return result
    # numpy returns any of the zeros; the maximum of zeros is +0 if one is, the minimum -0. As integers, bits of floats
    # that are not above zero have +0 as their maximum, and of those not below zero -0 is the only negative one.
    bits = f"i{values.dtype.itemsize}"
    extreme = ufunc.reduce(values.view(bits), axis=axes, initial=np.asarray(init_value).view(bits)[()])
    signed_zero = np.where(extreme < 0, values.dtype.type(-0.0), values.dtype.type(0.0))
    return np.where(zeros, signed_zero, result)


def _has_short_rows(ufunc: np.ufunc, values: Array, axes: tuple[int, ...]) -> bool:
    """Whether many rows of few values are reduced, for each of which numpy starts anew, in an order that it keeps."""
    if len(axes) != 1 or axes[0] != values.ndim - 1 or not 0 < values.shape[-1] <= FEW_BESIDE:
        return False
    return values.size >= _ROWS * values.shape[-1] and (ufunc is not np.add or values.dtype.kind not in "fc")


def _lanes_last(values: Array, dimensions: Sequence[int]) -> np.ndarray:
    """The values with `dimensions` as one leading axis, in ascending order, before the others."""
    if values.ndim == len(dimensions):
        return values.reshape(-1)
    ordered = sorted(dimensions)
    rest = [d for d in range(values.ndim) if d not in ordered]
    count = math.prod([values.shape[d] for d in ordered])
    return values.transpose(ordered + rest).reshape([count] + [values.shape[d] for d in rest])


@evaluates("stablehlo.reduce")
def reduce(op: Op) -> Kernel:
    """The inputs folded over dimensions by body, from init_values. Spec: reduce."""
    dimensions = op.ints("dimensions")
    facts = op.regions[0]
    count = len(op.operand_types) // 2
    ufunc = _sole_ufunc(facts)
    places: list[Place | None] = []

    def place_of(body: BoundPlan) -> Place | None:
        if not places:
            places.append(place_of_extreme(body, facts))
        return places[0]

    def kernel(body: BoundPlan, *operands: Array) -> Any:
        converted = as_arguments(operands, facts)
        inputs, init_values = converted[:count], converted[count:]
        if ufunc is not None:
            return _reduce_with(ufunc, inputs[0], dimensions, init_values[0])
        values = tuple([_lanes_last(value, dimensions) for value in inputs])
        combine = on_arrays(body, facts, [init_value.dtype for init_value in init_values])
        place = place_of(body)
        if place is not None and (found := at_extreme(place, *values)) is not None:
            values = tuple([part[np.newaxis] for part in found])
        if values[0].ndim == 1 and values[0].size and FEW_FOLDED > 0:
            while values[0].size > FEW_FOLDED:
                values = _neighbours_folded(combine, values)
            results: tuple[Any, ...] = body(*init_values, *one_by_one.fold_pairs(body, values))
            return as_result(results)
        spread = tuple([broadcast_array(init_value, (), values[0].shape[1:]) for init_value in init_values])
        if values[0].shape[0] == 0:
            return as_result(spread)
        return as_result(combine(*spread, *fold_pairs(combine, values)))

    return kernel
