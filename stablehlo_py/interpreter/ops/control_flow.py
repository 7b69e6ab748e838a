"""Ops that decide what runs: while, if, case, calls."""

from __future__ import annotations

from typing import Any

from ..op import Body, Kernel, Op
from ..registry import evaluates
from .bodies import as_result


@evaluates("stablehlo.while")
def while_(op: Op) -> Kernel:
    """Repeat body on operand while cond holds. Spec: while."""

    def kernel(cond: Body, body: Body, *operand: Any) -> Any:
        while cond(*operand)[0]:
            operand = body(*operand)
        return as_result(operand)

    return kernel


@evaluates("stablehlo.if")
def if_(op: Op) -> Kernel:
    """The results of true_branch if pred is true, of false_branch otherwise. Spec: if."""

    def kernel(true_branch: Body, false_branch: Body, pred: Any) -> Any:
        return as_result(true_branch() if pred else false_branch())

    return kernel


@evaluates("stablehlo.case")
def case(op: Op) -> Kernel:
    """The results of branches[index], or of the last branch if index is out of bounds. Spec: case."""
    count = len(op.regions)

    def kernel(*values: Any) -> Any:
        branches, index = values[:count], int(values[count])
        return as_result(branches[index if 0 <= index < count else count - 1]())

    return kernel


@evaluates("func.call")
def call(op: Op) -> Kernel:
    """The results of callee on operands."""
    function = op.program.callable(op.symbol("callee"))
    return lambda *operands: as_result(function(*operands))


@evaluates("stablehlo.composite")
def composite(op: Op) -> Kernel:
    """The results of the decomposition on inputs. Spec: composite."""
    decomposition = op.program.callable(op.symbol("decomposition"))
    return lambda *inputs: as_result(decomposition(*inputs))


@evaluates("stablehlo.optimization_barrier")
def optimization_barrier(op: Op) -> Kernel:
    """The operands, unchanged. Spec: optimization_barrier."""
    return lambda *operand: as_result(operand)


@evaluates("stablehlo.constant", "arith.constant")
def constant(op: Op) -> Kernel:
    """value. Spec: constant."""
    value = op.constant()
    scalar = value[()] if value.ndim == 0 else value
    return lambda: scalar
