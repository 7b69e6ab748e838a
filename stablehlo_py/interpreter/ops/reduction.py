"""reduce."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...bindings.types import TensorType
from ..op import Body, Kernel, Op, RegionFacts
from ..registry import evaluates
from .bodies import Array, Arrays, OnArrays, as_arguments, as_result, on_arrays

_ROUNDED_SUMS = {"stablehlo.add": np.add, "stablehlo.multiply": np.multiply}
_SUMMED = frozenset(map(np.dtype, "fdFD"))


def sum_ufunc(facts: RegionFacts) -> np.ufunc | None:
    """Return numpy's sum or product if the body is one of them on floats, whose order of additions is numpy's."""
    first = facts.argument_types[0]
    is_summed = len(facts.argument_types) == 2 and isinstance(first, TensorType) and first.dtype in _SUMMED
    return _ROUNDED_SUMS.get(facts.sole_op) if is_summed else None


def fold_neighbours(combine: OnArrays, values: Arrays) -> Arrays:
    """Fold each pair of neighbours along axis 0; the last one of an odd count stays."""
    count = values[0].shape[0]
    folded = combine(*[value[0 : count - 1 : 2] for value in values], *[value[1::2] for value in values])
    if count % 2:
        folded = tuple([np.concatenate([f, v[-1:]]) for f, v in zip(folded, values, strict=True)])
    return folded


def reduced_first(values: Array, dimensions: Sequence[int]) -> np.ndarray:
    """Return the values with `dimensions` as one leading axis, in ascending order, before the others."""
    ordered = sorted(dimensions)
    rest = [d for d in range(values.ndim) if d not in ordered]
    count = math.prod([values.shape[d] for d in ordered])
    return values.transpose(ordered + rest).reshape([count] + [values.shape[d] for d in rest])


@evaluates("stablehlo.reduce")
def reduce(op: Op) -> Kernel:
    """Fold the inputs over dimensions by body, from init_values. Spec: reduce.

    The spec leaves the tree open. Here neighbours are folded first, then neighbouring pairs, so that the error of a
    sum grows with the logarithm of the count; sums and products of f32, f64 and complex numbers are numpy's.
    """
    dimensions, facts = op.ints("dimensions"), op.regions[0]
    ufunc = sum_ufunc(facts)

    def kernel(body: Body, *operands: Array) -> Any:
        converted = as_arguments(operands, facts)
        inputs, init_values = converted[: len(converted) // 2], converted[len(converted) // 2 :]
        if ufunc is not None:
            return ufunc.reduce(inputs[0], axis=dimensions, dtype=inputs[0].dtype, initial=init_values[0])
        combine = on_arrays(body, facts, [value.dtype for value in init_values])
        values = tuple([reduced_first(value, dimensions) for value in inputs])
        results = tuple([np.full(values[0].shape[1:], value, value.dtype) for value in init_values])
        while values[0].shape[0] > 1:
            values = fold_neighbours(combine, values)
        return as_result(combine(*results, *[value[0] for value in values]) if len(values[0]) else results)

    return kernel
