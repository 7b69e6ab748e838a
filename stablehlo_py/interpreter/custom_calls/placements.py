"""Calls that return their operand: they tell a compiler the place, layout, shape or time of values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings.types import TensorType
from ..ops.bodies import as_result
from .call import CustomCall
from .registry import runs


@runs(
    "Sharding",
    "annotate_device_placement",
    "LayoutConstraint",
    "Pin",
    "Unpin",
    "MoveToHost",
    "MoveToDevice",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.ShardingGroup",
    "stablehlo.shape_refinement_operand_wrapper",
    # The ends of asynchronous collectives, which are complete when they have started.
    *(f"{name}-done" for name in ("all-gather", "all-reduce", "reduce-scatter", "all-to-all", "collective-permute")),
)
def identity(call: CustomCall, *operands: Any) -> Any:
    """The operand, as it is."""
    if not call.result_types:
        return None
    return as_result(operands)


@runs("AllocateBuffer", "CreateBuffer")
def allocate_buffer(call: CustomCall) -> Any:
    """A tensor of unspecified elements; here all zero."""
    results = []
    for type_ in call.result_types:
        if not isinstance(type_, TensorType):
            raise call.op.error(f"cannot allocate {type_}")
        results.append(np.zeros(type_.static_shape, type_.dtype))
    return as_result(results)
