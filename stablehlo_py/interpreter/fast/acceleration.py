"""The folder's answers to the core's questions for a faster way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, cast

import numpy as np

from ...bindings import ir
from ...bindings.types import ElementType
from ..acceleration import ACCELERATED, Acceleration, accelerate_with
from ..element_types.arithmetic import Arithmetic, Operation
from ..op import Body, Kernel, Op, RegionFacts
from ..ops.bodies import Arrays
from ..plan import Plan
from ..registry import MakeKernel, is_users
from ..settings import Settings
from . import blocks, matmul, memory_retention, sorting
from .codegen import compile_plan
from .contiguous import major_to_minor
from .plan_cache import cached_program
from .plans import FastBody, FastPlan
from .sampling import sampled, samplers_of
from .sharing import concerns_processes, in_segments, with_equal_ones_shared


class FastAcceleration(Acceleration):
    """Every accelerator of the folder."""

    def kernel(self, op: Op, make_kernel: MakeKernel) -> Kernel:
        definition = make_kernel(op)
        accelerate = ACCELERATED.get(op.name)
        if accelerate is None or is_users(op.name):
            return definition
        faster = accelerate(op, definition)
        return definition if faster is None else faster

    def arithmetic(self, element_type: ElementType) -> Arithmetic:
        return blocks.arithmetic(element_type)

    def converter(self, source: ElementType, target: ElementType) -> Operation:
        return blocks.converter(source, target)

    def stable_order(self, comparator: Body, facts: RegionFacts, lanes: Arrays) -> np.ndarray:
        return sorting.order_by_keys(cast("FastBody", comparator), facts, lanes)

    def matmul(self, lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype, in_order: bool) -> np.ndarray:
        return matmul.matmul(lhs, rhs, dtype, in_order)

    def plan(self, plan: Plan, *, is_function: bool, shares: bool) -> Plan:
        fast = FastPlan(**vars(plan), compile=compile_plan)
        return in_segments(fast) if shares and (is_function or any(map(concerns_processes, plan.steps))) else fast

    def arguments(self, sets: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        return with_equal_ones_shared(sets)

    def watching(self, settings: Settings) -> AbstractContextManager[None]:
        samplers = samplers_of(settings)
        return sampled(samplers) if samplers else nullcontext()

    def program(
        self, module: ir.Module | ir.Operation, settings: Settings, make: Callable[[Any, Settings], Any]
    ) -> AbstractContextManager[Any]:
        return cached_program(module, settings, make)

    def contiguous(self, array: np.ndarray) -> np.ndarray:
        return major_to_minor(array)

    def prepare_process(self) -> None:
        memory_retention.retain_freed_memory()


accelerate_with(FastAcceleration())
