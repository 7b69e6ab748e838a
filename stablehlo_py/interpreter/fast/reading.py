"""A faster reading of the same numbers. The folder's modules are imported when they are needed."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...bindings import ir
from ..op import Kernel, Op
from ..plan import Plan
from ..reading import Reading
from ..registry import MakeKernel, enters, is_users
from .plans import FastPlan

if TYPE_CHECKING:
    from ...bindings.types import ElementType
    from ..element_types.arithmetic import Arithmetic, Operation
    from ..op import Body, RegionFacts
    from ..ops.bodies import Arrays
    from ..settings import Settings
    from .plans import FastBody

Accelerator = Callable[[Op, Kernel], Kernel | None]
"""Takes an op and the kernel of its definition, and returns a faster kernel or None."""
_ACCELERATORS: dict[str, Accelerator] = {}


def accelerates(*names: str) -> Callable[[Accelerator], Accelerator]:
    """Register an accelerator of the ops called `names`, in the module here that is called as their definitions'."""
    return enters(_ACCELERATORS, names)


@cache
def _import_accelerators(definitions: str) -> None:
    """Import the module here that has the same name as one of definitions, if there is one."""
    name = f"{__package__}.{definitions.rpartition('.')[2]}"
    if importlib.util.find_spec(name) is not None:
        importlib.import_module(name)


class FastReading(Reading):
    """Every accelerator of the folder."""

    def kernel(self, op: Op, make_kernel: MakeKernel) -> Kernel:
        definition = make_kernel(op)
        if is_users(op.name):
            return definition
        _import_accelerators(make_kernel.__module__)
        accelerator = _ACCELERATORS.get(op.name)
        faster = None if accelerator is None else accelerator(op, definition)
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
        if plan.settings.listeners:  # they see each op
            return plan
        fast = FastPlan(**vars(plan), compile=_compile)
        if not shares:
            return fast
        from .sharing import concerns_processes, in_segments

        return in_segments(fast) if is_function or any(map(concerns_processes, plan.steps)) else fast

    def arguments(self, sets: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        from .sharing import with_equal_ones_shared

        return with_equal_ones_shared(sets)

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
