"""Loops that are compiled whole, and donation to loops, branches and calls.

Replaces while, if, case and func.call: `loops` says when a loop is compiled, `plans` what donation is. Gains: `while,
10,000 iterations`, 8 x; `update in a branch` of `benchmarks/growth.py`, whose time grows with the number of steps, and
not with its square.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..limits import enter_call, leave_call
from ..op import Body, Kernel, Op
from ..ops.bodies import as_result
from ..plan import BoundPlan
from .loops import fused_loop
from .plans import DonatingKernel, FastBody, is_large
from .reading import accelerates
from .threefry import threefry


@accelerates("stablehlo.while")
def while_(op: Op, _: Kernel) -> Kernel:
    """Compile the loop after its first iteration, and donate large operands."""

    def kernel(cond: Body, body: Body, *operand: Any) -> Any:
        if not cond(*operand)[0]:
            return as_result(operand)
        state = list(body(*operand))
        del operand
        rest = fused_loop(cond, body)
        if rest is not None:
            return as_result(rest(state))
        while cond(*state)[0]:
            state = body(*state)
        return as_result(state)

    def take(operand: list[Any]) -> Any:
        cond: Body = operand.pop(0)
        body: Body = operand.pop(0)
        if not cond(*operand)[0]:
            return as_result(operand)
        if not isinstance(body, FastBody):  # it cannot be evaluated, and says why
            return as_result(body(*operand))
        operand[:] = body.take(operand)
        rest = fused_loop(cond, body)
        if rest is not None:
            return as_result(rest(operand))
        while cond(*operand)[0]:
            operand[:] = body.take(operand)
        return as_result(operand)

    return DonatingKernel(kernel, take) if is_large(op) else kernel


def _run_last(branches: Sequence[BoundPlan | FastBody], index: int) -> Any:
    """Run one of the branches, after the others have released their captured values."""
    for other in (*branches[:index], *branches[index + 1 :]):
        other.captured = ()
    chosen = branches[index]
    return as_result(chosen.finish() if isinstance(chosen, FastBody) else chosen())


@accelerates("stablehlo.if")
def if_(op: Op, definition: Kernel) -> Kernel:
    """Donate what dies here to the branch."""

    def take(values: list[Any]) -> Any:
        *branches, pred = values
        values.clear()
        return _run_last(branches, 0 if pred else 1)

    return DonatingKernel(definition, take)


@accelerates("stablehlo.case")
def case(op: Op, definition: Kernel) -> Kernel:
    """Donate what dies here to the branch."""

    def take(values: list[Any]) -> Any:
        *branches, index = values
        values.clear()
        return _run_last(branches, int(index) if 0 <= index < len(branches) else len(branches) - 1)

    return DonatingKernel(definition, take)


@accelerates("func.call")
def call(op: Op, definition: Kernel) -> Kernel | None:
    """Donate large operands to the callee, or compute random bits at once."""
    name, program = op.symbol("callee"), op.program

    def take(operands: list[Any]) -> Any:
        enter_call()
        try:
            return as_result(program.plan(name).take(operands))
        finally:
            leave_call()

    return DonatingKernel(definition, take) if is_large(op) else threefry(op)
