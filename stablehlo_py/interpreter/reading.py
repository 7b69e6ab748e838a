"""Readings: the elements that a definition computes with, and their arithmetic.

Definitions and the core ask a `Reading`. The class itself is the plain one: numbers, each op by its definition. The
folder `fast` reads the same numbers faster; the folder `fingerprints` reads floats as values with residues, which tell
functions apart. Definitions and the core import nothing of either, so that both folders can be deleted.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..bindings.elements import constant_value
from ..bindings.types import element_type

if TYPE_CHECKING:
    from ..bindings import ir
    from ..bindings.types import ElementType
    from .element_types import Arithmetic
    from .element_types.arithmetic import Operation
    from .op import Body, Kernel, Op, RegionFacts
    from .ops.bodies import Arrays
    from .ops.steps import Steps
    from .plan import Plan
    from .registry import MakeKernel
    from .settings import Settings
    from .values import ValueTypes


class Reading:
    """Numbers: each op by its definition, each plan step by step."""

    def types(self) -> ValueTypes:
        """Return the reader of a program's types, which says how the elements of a tensor are stored."""
        from .values import ValueTypes

        return ValueTypes()

    def constant(self, op: Op) -> np.ndarray:
        """Return the value of a constant op, stored as its type says."""
        return constant_value(op.operation)

    def kernel(self, op: Op, make_kernel: MakeKernel) -> Kernel:
        """Return the kernel of an op, which `make_kernel` of its definition makes."""
        return make_kernel(op)

    def arithmetic(self, element_type: ElementType) -> Arithmetic:
        """Return the operations on elements of this type."""
        from . import element_types

        return element_types.arithmetic(element_type)

    def converter(self, source: ElementType, target: ElementType) -> Operation:
        """Return the conversion of elements of one type to another."""
        from . import element_types

        return element_types.converter(source, target)

    def stable_order(self, comparator: Body, facts: RegionFacts, lanes: Arrays) -> np.ndarray:
        """Return the stable order of the elements along the last axis by a comparator, whose facts these are."""
        from .ops.sorting import stable_order

        return stable_order(comparator, lanes)

    def matmul(self, lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype, in_order: bool) -> np.ndarray:
        """Return lhs @ rhs, batches of matrices, as `ops.matmul` defines it."""
        from .ops.matmul import matmul

        return matmul(lhs, rhs, dtype, in_order)

    def sum(self, elements: ElementType, operand: Any, dimensions: tuple[int, ...]) -> Any:
        """Return sums over dimensions, accumulated in double precision."""
        double = element_type("f64")
        total = np.asarray(self.converter(elements, double)(operand)).sum(axis=dimensions)
        return self.converter(double, elements)(total)

    def steps(self, op: Op) -> Steps:
        """Return the operations that solutions of systems are made of, on the elements of an op's first operand."""
        from .ops.steps import NUMBERS

        return NUMBERS

    def plan(self, plan: Plan, *, is_function: bool, shares: bool) -> Plan:
        """Return a plan with the same results, of a function or of a region.

        With `shares` it is run by the processes of a grid, which may share their results.
        """
        return plan

    def arguments(self, sets: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        """Return the arguments of the processes of a grid, as few objects as can be."""
        return sets

    def program(
        self, module: ir.Module | ir.Operation, settings: Settings, make: Callable[[Any, Settings], Any]
    ) -> AbstractContextManager[Any]:
        """Return a context that gives the program of a module, which `make` makes."""
        return nullcontext(make(module, settings))

    def contiguous(self, array: np.ndarray) -> np.ndarray:
        """Return a new array with the same elements in major-to-minor order."""
        return np.array(array, order="C")

    def prepare_process(self) -> None:
        """Change settings of this process for faster runs; for command-line tools, whose process it is."""


PLAIN = Reading()


@cache
def numbers(fast: bool) -> Reading:
    """Return the reading of numbers of the folder `fast`, or the plain one if it is not wanted or not there."""
    if not fast or not os.path.exists(os.path.join(os.path.dirname(__file__), "fast", "reading.py")):
        return PLAIN
    return importlib.import_module(f"{__package__}.fast.reading").FastReading()
