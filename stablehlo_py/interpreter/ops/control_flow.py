"""Ops that decide what runs: while, if, case, calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bindings.types import TensorType
from ..loops import fused_loop
from ..op import LARGE, Body, Handing, Kernel, Op
from ..plan import byte_size
from ..registry import evaluates


def results_of(op: Op, values: Sequence[Any]) -> Any:
    """A region's or function's results as what a kernel of this op returns."""
    return values[0] if len(op.result_types) == 1 else tuple(values)


def _is_large(op: Op) -> bool:
    """Whether an operand takes so much memory that it matters how long it lives."""
    types = [type_ for type_ in op.operand_types if isinstance(type_, TensorType)]
    return any(None in t.shape or byte_size(t) >= LARGE for t in types)


@evaluates("stablehlo.while")
def while_(op: Op) -> Kernel:
    """Runs body on operand as long as cond is true of it. Spec: while."""

    def kernel(cond: Body, body: Body, *operand: Any) -> Any:
        if not cond(*operand)[0]:
            return results_of(op, operand)
        state = list(body(*operand))
        del operand
        rest = fused_loop(cond, body)
        if rest is not None:
            return results_of(op, rest(state))
        while cond(*state)[0]:
            state = body(*state)
        return results_of(op, state)

    def take(cond: Body, body: Body, operand: list[Any]) -> Any:
        if not cond(*operand)[0]:
            return results_of(op, operand)
        operand[:] = body.take(operand)
        rest = fused_loop(cond, body)
        if rest is not None:
            return results_of(op, rest(operand))
        while cond(*operand)[0]:
            operand[:] = body.take(operand)
        return results_of(op, operand)

    return Handing(kernel, take) if _is_large(op) else kernel


@evaluates("stablehlo.if")
def if_(op: Op) -> Kernel:
    """The results of true_branch if pred is true, of false_branch otherwise. Spec: if."""

    def kernel(true_branch: Body, false_branch: Body, pred: Any) -> Any:
        return results_of(op, true_branch() if pred else false_branch())

    return kernel


@evaluates("stablehlo.case")
def case(op: Op) -> Kernel:
    """The results of branches[index], or of the last branch if index is out of bounds. Spec: case."""
    count = len(op.regions)

    def kernel(*values: Any) -> Any:
        branches, index = values[:count], int(values[count])
        return results_of(op, branches[index if 0 <= index < count else count - 1]())

    return kernel


@evaluates("func.call")
def call(op: Op) -> Kernel:
    """The results of callee on operands."""
    name = op.symbol("callee")
    function, taking = op.program.callable(name), op.program.taking(name)

    def kernel(*operands: Any) -> Any:
        return results_of(op, function(*operands))

    return Handing(kernel, lambda operands: results_of(op, taking(operands))) if _is_large(op) else kernel


@evaluates("stablehlo.composite")
def composite(op: Op) -> Kernel:
    """The results of the decomposition on inputs. Spec: composite."""
    decomposition = op.program.callable(op.symbol("decomposition"))
    return lambda *inputs: results_of(op, decomposition(*inputs))


@evaluates("stablehlo.optimization_barrier")
def optimization_barrier(op: Op) -> Kernel:
    """The operands, unchanged. Spec: optimization_barrier."""
    return lambda *operand: results_of(op, operand)


@evaluates("stablehlo.constant", "arith.constant")
def constant(op: Op) -> Kernel:
    """value. Spec: constant."""
    value = op.constant()
    scalar = value[()] if value.ndim == 0 else value
    return lambda: scalar
