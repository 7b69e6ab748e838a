"""Ops that look at values: the check dialect, probes and prints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...errors import CheckError
from .. import check
from ..op import Kernel, Op
from ..printing import format_value
from ..probe import read_probe
from ..registry import evaluates

DEFAULT_TOLERANCE = 1e-4

Compare = Callable[[np.ndarray, np.ndarray], str]


def _checking(op: Op, compare: Compare) -> Kernel:
    """Return a kernel that raises `CheckError` with the op and its function where `compare` finds a difference, from
    its second operand or from the attribute that stands for it."""
    constant = op.elements("value") if op.name.endswith("_const") else None

    def kernel(actual: np.ndarray, expected: np.ndarray | None = constant) -> None:
        difference = compare(np.asarray(actual), np.asarray(expected))
        if difference:
            raise CheckError(difference, op=op.name, location=op.location, notes=[f"in function @{op.function_name}"])

    return kernel


@evaluates("check.expect_eq", "check.expect_eq_const")
def expect_eq(op: Op) -> Kernel:
    """Raise unless lhs equals rhs, or value, as numbers: -0.0 equals 0.0, NaN equals nothing."""
    return _checking(op, check.equal)


@evaluates("check.expect_almost_eq", "check.expect_almost_eq_const")
def expect_almost_eq(op: Op) -> Kernel:
    """Raise unless lhs and rhs, or value, differ by at most tolerance."""
    tolerance = op.float("tolerance", DEFAULT_TOLERANCE)
    return _checking(op, lambda actual, expected: check.almost_equal(actual, expected, tolerance))


@evaluates("check.expect_close")
def expect_close(op: Op) -> Kernel:
    """Raise unless actual is min_ulp_difference to max_ulp_difference ULPs from expected."""
    smallest, largest = op.int("min_ulp_difference", 0), op.int("max_ulp_difference")
    return _checking(op, lambda actual, expected: check.close(actual, expected, smallest, largest))


@evaluates("check.expect_serialized_eq")
def expect_serialized_eq(op: Op) -> Kernel:
    """Raise unless expected equals what the probe wrote when it ran for the iteration-th time."""
    directory = op.program.probes(op).path
    probe_id, iteration, type_ = op.string("probe_id"), op.int("iteration", 0), op.tensor_operand(0)
    checking = _checking(op, check.equal)

    def kernel(expected: np.ndarray) -> None:
        checking(expected, read_probe(directory, probe_id, iteration, type_))

    return kernel


@evaluates("interpreter.probe")
def probe(op: Op) -> Kernel:
    """operand, after writing it to the directory of the probes."""
    directory = op.program.probes(op)
    probe_id, type_ = op.string("probe_id"), op.tensor_operand(0)

    def kernel(operand: np.ndarray) -> np.ndarray:
        directory.write(probe_id, type_, np.asarray(operand))
        return operand

    return kernel


@evaluates("interpreter.print")
def print_(op: Op) -> Kernel:
    """Nothing; writes `%name = ` and operand to the standard output."""
    name = op.operation.operands[0].get_name()
    type_, context = op.tensor_operand(0), op.operation.context

    def kernel(operand: np.ndarray) -> None:
        print(f"{name} = {format_value(operand, type_, context)}", flush=True)

    return kernel
