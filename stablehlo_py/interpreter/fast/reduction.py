"""Reductions of integers and extremes by numpy's own, and the places of extremes.

Replaces reduce where the body gives the same bits in any order. Gains: `GPT-2 small, 128 tokens` and `non-maximum
suppression, 200 steps`, 1.7 x.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...bindings.types import TensorType
from ..acceleration import accelerates
from ..op import Kernel, Op, RegionFacts
from ..ops.bodies import EXTREMES, UFUNCS, Array, as_arguments, as_result, on_arrays
from ..ops.reduction import reduced_first, sum_ufunc
from .extremes import at_extreme, place_of_extreme
from .plans import FastBody

_INTEGERS = frozenset(map(np.dtype, "?bhilqBHILQ"))
_FLOATS = frozenset(map(np.dtype, "efd"))


def _any_order_ufunc(facts: RegionFacts) -> np.ufunc | None:
    """Return the ufunc whose `reduce` gives the body's results, in whatever order."""
    ufunc, first = UFUNCS.get(facts.sole_op), facts.argument_types[0]
    dtypes = _INTEGERS | _FLOATS if ufunc in EXTREMES else _INTEGERS
    return ufunc if len(facts.argument_types) == 2 and isinstance(first, TensorType) and first.dtype in dtypes else None


def _reduce_with(ufunc: np.ufunc, values: Array, axes: tuple[int, ...], init_value: Array) -> Array:
    result = ufunc.reduce(values, axis=axes, dtype=values.dtype, initial=init_value)
    if values.dtype.kind != "f":
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


@accelerates("stablehlo.reduce")
def reduce(op: Op, definition: Kernel) -> Kernel | None:
    """Reduce with numpy's function, or take what the body chooses from its place."""
    dimensions, facts = op.ints("dimensions"), op.regions[0]
    if sum_ufunc(facts) is not None:
        return None
    ufunc = _any_order_ufunc(facts)
    place_of = lru_cache(1)(lambda plan: place_of_extreme(FastBody(plan, ()), facts))

    def with_ufunc(_: FastBody, *operands: Array) -> Any:
        values, init_value = as_arguments(operands, facts)
        return _reduce_with(ufunc, values, dimensions, init_value) if ufunc is not None else None

    def by_place(body: FastBody, *operands: Array) -> Any:
        place = None if body.captured else place_of(body.plan)
        if place is None:
            return definition(body, *operands)
        *inputs, first, second = as_arguments(operands, facts)
        found = at_extreme(place, *[reduced_first(value, dimensions) for value in inputs])
        if found is None:
            return definition(body, *operands)
        combine = on_arrays(body, facts, [first.dtype, second.dtype])
        return as_result(combine(*[np.broadcast_to(init, found[0].shape) for init in (first, second)], *found))

    return by_place if ufunc is None else with_ufunc
