"""inline, where the bindings' pass of this name does not know how to inline functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir
from ..bindings.attributes import callee_of
from ..bindings.walk import blocks, body_of, functions, has_body, operations, replace_operands
from .base import Pass
from .pipeline import run_pipeline

_CALL = "func.call"


@dataclass(frozen=True)
class Inline(Pass):
    """Replace each `func.call` by the body of the function that it calls, from the innermost calls outwards.

    Functions of several blocks and those that call themselves stay. Private functions of which nothing is left that
    names them go. Source: MLIR's pass of this name; here the ops keep the locations that they have in the callee.
    """

    name: ClassVar[str] = "inline"
    summary: ClassVar[str] = "Replaces calls by the bodies of the functions called"

    default_pipeline: str = "canonicalize"

    def run(self, op: ir.Operation) -> None:
        """Inline the calls in the module `op`. No error is known."""
        known = functions(op)
        for name in _callees_first(known):
            for call in _calls(known[name]):
                callee = known.get(callee_of(call))
                if callee is not None and callee_of(call) != name and _can_be_inlined(callee, known):
                    _inline(call, callee)
        following = f",func.func({self.default_pipeline})" if self.default_pipeline else ""
        run_pipeline(op, f"builtin.module(symbol-dce{following})")


def _calls(function: ir.Operation) -> list[ir.Operation]:
    return [op for op in operations(function) if op.name == _CALL]


def _callees_first(known: dict[str, ir.Operation]) -> list[str]:
    """Return the names of the functions, callees before callers unless they call each other."""
    order: list[str] = []
    seen: set[str] = set()
    for root in known:
        waiting = [(root, False)]
        while waiting:
            name, is_done = waiting.pop()
            if is_done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                waiting.append((name, True))
                waiting.extend((callee_of(call), False) for call in _calls(known[name]) if callee_of(call) in known)
    return order


def _can_be_inlined(function: ir.Operation, known: dict[str, ir.Operation]) -> bool:
    """Return whether it has a body of one block and no call is left in it that could lead back to it."""
    if len(blocks(function)) != 1 or "no_inline" in function.attributes:
        return False
    callees = [known.get(callee_of(call)) for call in _calls(function)]
    return not any(callee is not None and has_body(callee) for callee in callees)


def _inline(call: ir.Operation, callee: ir.Operation) -> None:
    """Put a copy of the callee's body in the place of the call."""
    block = body_of(callee)
    copies: dict[ir.Value, ir.Value] = dict(zip(block.arguments, call.operands, strict=True))
    *ops, returning = block.operations
    for op in ops:
        copy = op.operation.clone(ir.InsertionPoint(call)).operation
        replace_operands(copy, copies)
        copies.update(zip(op.operation.results, copy.results, strict=True))
    for result, returned in zip(call.results, returning.operation.operands, strict=True):
        result.replace_all_uses_with(copies[returned])
    call.erase()
