"""Reductions whose body looks for the largest or smallest value pair by pair, and for its index.

Replaces reduce for such bodies. Gains: `non-maximum suppression, 200 steps`, 1.7 x; `CNN, a training step`, 1.3 x.

Such a body takes a value and its index from the left and from the right. If it consists of comparisons of the two
values or the two indices, of logic, and of selections, its choice depends on the comparisons alone. So nine cases cover
all numbers. Zeros and NaN are left to the body.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...bindings.types import Kind, TensorType
from ..op import Kernel, Op, RegionFacts
from ..ops.bodies import Array, Arrays, as_arguments, as_result, on_arrays
from ..ops.reduction import reduced_first, sum_ufunc
from ..plan import Step
from .plans import FastBody
from .reading import accelerates

_LOGIC = frozenset(f"stablehlo.{name}" for name in ("and", "not", "or", "xor"))
_VALUES = frozenset(map(np.dtype, "bhilqBHILQefd"))
_INDICES = frozenset(map(np.dtype, "ilqILQ"))
_PAIRS = np.array([(1, 2), (2, 1), (1, 1)])
Finder = Callable[..., Any]
"""`np.argmax` or `np.argmin`."""


def finder_of_extreme(body: FastBody, facts: RegionFacts) -> Finder | None:
    """Return the function that finds the index of the value that the body chooses, the smallest index of equal ones.

    Return None for a body that does something else.
    """
    plan, types = body.plan, facts.argument_types
    if not facts.elementwise or len(types) != 4 or len(plan.inputs) != 4:
        return None
    dtypes = [type_.dtype for type_ in types if isinstance(type_, TensorType)]
    if dtypes[0] not in _VALUES or dtypes[1] not in _INDICES or dtypes[:2] != dtypes[2:]:
        return None
    sides = [{*plan.inputs[0::2]}, {*plan.inputs[1::2]}]
    if not all(_goes_by_order(step, sides) for step in plan.steps):
        return None
    a, b, i, j = np.concatenate([np.repeat(_PAIRS, 3, axis=0), np.tile(_PAIRS, (3, 1)) + 2], axis=1).T
    arguments = [side.astype(dtype) for side, dtype in zip((a, i, b, j), dtypes, strict=True)]
    value, index = map(np.asarray, body.on_arrays(*arguments))
    for find, extreme, left_wins in ((np.argmax, np.maximum, a > b), (np.argmin, np.minimum, a < b)):
        chosen = np.where(a == b, np.minimum(i, j), np.where(left_wins, i, j))
        if np.array_equal(value, extreme(a, b)) and np.array_equal(index, chosen):
            return find
    return None


def _goes_by_order(step: Step, sides: list[set[int]]) -> bool:
    """Whether the step compares two values or two indices, combines truths, or selects."""
    if step.op.name == "stablehlo.select":
        return True
    if step.op.name in _LOGIC:
        return step.op.tensor_operand(0).element_type.kind is Kind.BOOLEAN
    if step.op.name != "stablehlo.compare" or not any(side.issuperset(step.operands) for side in sides):
        return False
    return step.op.enum("compare_type", "") in ("", _COMPARED.get(step.op.tensor_operand(0).dtype.kind))


_COMPARED = {"f": "FLOAT", "i": "SIGNED", "u": "UNSIGNED"}


def at_extreme(find: Finder, values: Array, indices: Array) -> Arrays | None:
    """Return the extreme values along axis 0 and their indices; None if the body has to decide."""
    if not values.size or not (indices[1:] > indices[:-1]).all():
        return None
    found_at = find(values, axis=0)
    if values.ndim == 1:
        found, index = values[found_at], indices[found_at]
    else:
        found, index = [np.take_along_axis(part, found_at[np.newaxis], axis=0)[0] for part in (values, indices)]
    if found.dtype.kind == "f" and not np.all((found > 0) | (found < 0)):
        return None
    return found, index


@accelerates("stablehlo.reduce")
def reduce(op: Op, definition: Kernel) -> Kernel | None:
    """Find the index that the body chooses."""
    dimensions, facts = op.ints("dimensions"), op.regions[0]
    if sum_ufunc(facts) is not None:
        return None
    finder_of = lru_cache(1)(lambda plan: finder_of_extreme(FastBody(plan, ()), facts))

    def kernel(body: FastBody, *operands: Array) -> Any:
        find = None if body.captured else finder_of(body.plan)
        if find is None:
            return definition(body, *operands)
        *inputs, first, second = as_arguments(operands, facts)
        found = at_extreme(find, *[reduced_first(value, dimensions) for value in inputs])
        if found is None:
            return definition(body, *operands)
        combine = on_arrays(body, facts, [first.dtype, second.dtype])
        return as_result(combine(*[np.broadcast_to(init, found[0].shape) for init in (first, second)], *found))

    return kernel
