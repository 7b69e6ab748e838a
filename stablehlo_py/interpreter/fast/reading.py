"""A faster reading of the same numbers. The folder's modules are imported when they are needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...bindings import ir
from ..op import Kernel, Op
from ..plan import Plan
from ..reading import Reading
from ..registry import MakeKernel, is_users
from ..settings import Settings
from .plans import FastPlan

if TYPE_CHECKING:
    from ...bindings.types import ElementType
    from ..element_types.arithmetic import Arithmetic, Operation
    from ..op import Body, RegionFacts
    from ..ops.bodies import Arrays
    from .plans import FastBody

# The functions that take an op and the kernel of its definition, and return a faster kernel or None.
_ACCELERATORS = {
    "func.call": "control_flow:call",
    "stablehlo.broadcast_in_dim": "movement:broadcast_in_dim",
    "stablehlo.case": "control_flow:case",
    "stablehlo.dynamic_slice": "slicing:dynamic_slice",
    "stablehlo.dynamic_update_slice": "slicing:dynamic_update_slice",
    "stablehlo.gather": "gather:gather",
    "stablehlo.if": "control_flow:if_",
    "stablehlo.reduce": "extremes:reduce",
    "stablehlo.reduce_window": "window:reduce_window",
    "stablehlo.reshape": "movement:reshape",
    "stablehlo.scatter": "scatter:scatter",
    "stablehlo.select": "selection:select",
    "stablehlo.select_and_scatter": "window:select_and_scatter",
    "stablehlo.while": "control_flow:while_",
}


class FastReading(Reading):
    """Every accelerator of the folder."""

    def kernel(self, op: Op, make_kernel: MakeKernel) -> Kernel:
        definition = make_kernel(op)
        if op.name not in _ACCELERATORS or is_users(op.name):
            return definition
        module, _, function = _ACCELERATORS[op.name].partition(":")
        faster = getattr(importlib.import_module(f"{__package__}.{module}"), function)(op, definition)
        return definition if faster is None else faster

    def arithmetic(self, element_type: ElementType) -> Arithmetic:
        from . import blocks

        return blocks.arithmetic(element_type)

    def converter(self, source: ElementType, target: ElementType) -> Operation:
        from . import blocks

        return blocks.converter(source, target)

    def stable_order(self, comparator: Body, facts: RegionFacts, lanes: Arrays) -> np.ndarray:
        from . import sorting

        return sorting.order_by_keys(cast("FastBody", comparator), facts, lanes)

    def matmul(self, lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype, in_order: bool) -> np.ndarray:
        from . import matmul

        return matmul.matmul(lhs, rhs, dtype, in_order)

    def plan(self, plan: Plan, *, is_function: bool, shares: bool) -> Plan:
        fast = FastPlan(**vars(plan), compile=_compile)
        if not shares:
            return fast
        from .sharing import concerns_processes, in_segments

        return in_segments(fast) if is_function or any(map(concerns_processes, plan.steps)) else fast

    def arguments(self, sets: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        from .sharing import with_equal_ones_shared

        return with_equal_ones_shared(sets)

    def watching(self, settings: Settings) -> AbstractContextManager[None]:
        if not settings.listeners:
            return nullcontext()
        from .sampling import sampled, samplers_of

        samplers = samplers_of(settings)
        return sampled(samplers) if samplers else nullcontext()

    def program(
        self, module: ir.Module | ir.Operation, settings: Settings, make: Callable[[Any, Settings], Any]
    ) -> AbstractContextManager[Any]:
        from .plan_cache import cached_program

        return cached_program(module, settings, make)

    def contiguous(self, array: np.ndarray) -> np.ndarray:
        from .contiguous import major_to_minor

        return major_to_minor(array)

    def prepare_process(self) -> None:
        from . import memory_retention

        memory_retention.retain_freed_memory()


def _compile(plan: FastPlan, taking: bool) -> Callable[..., tuple[Any, ...]]:
    from .codegen import compile_plan

    return compile_plan(plan, taking)
