"""inline, where the bindings' pass of this name does not know how to inline functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir
from ..bindings.attributes import is_private, symbol_name, symbol_of
from ..bindings.walk import blocks, body_of, children, functions, has_body, operations, replace_operands
from .base import Pass
from .pipeline import run_pipeline

_CALL = "func.call"


@dataclass(frozen=True)
class Inline(Pass):
    """Replace each `func.call` by the body of the function that it calls, from the innermost calls outwards.

    Functions of several blocks and those that call themselves stay. A private function that nothing names any more
    goes. Source: MLIR's pass of this name; here the ops keep the locations that they have in the callee.
    """

    name: ClassVar[str] = "inline"
    summary: ClassVar[str] = "Replaces calls by the bodies of the functions called"

    default_pipeline: str = "canonicalize"

    def run(self, op: ir.Operation) -> None:
        """Inline the calls in the module `op`. No error is known."""
        known = functions(op)
        inlined: set[str] = set()
        for name in _callees_first(known):
            for call in _calls(known[name]):
                callee = known.get(_callee(call))
                if callee is not None and _callee(call) != name and _can_be_inlined(callee, known):
                    inlined.add(_callee(call))
                    _inline(call, callee)
        for name in inlined - _named(op, skip=inlined):
            if is_private(known[name]):
                known[name].erase()
        if self.default_pipeline:
            run_pipeline(op, f"builtin.module(func.func({self.default_pipeline}))")


def _calls(function: ir.Operation) -> list[ir.Operation]:
    return [op for op in operations(function) if op.name == _CALL]


def _callee(call: ir.Operation) -> str:
    return symbol_of(call.attributes["callee"])


def _callees_first(known: dict[str, ir.Operation]) -> list[str]:
    """The names of the functions, each behind those that it calls where they do not call each other."""
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
                waiting.extend((_callee(call), False) for call in _calls(known[name]) if _callee(call) in known)
    return order


def _can_be_inlined(function: ir.Operation, known: dict[str, ir.Operation]) -> bool:
    """Return whether it has a body of one block and no call is left in it that could lead back to it."""
    if len(blocks(function)) != 1 or "no_inline" in function.attributes:
        return False
    callees = [known.get(_callee(call)) for call in _calls(function)]
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


def _symbols(attribute: ir.Attribute) -> Iterator[str]:
    waiting = [attribute]
    while waiting:
        here = waiting.pop()
        if isinstance(here, ir.FlatSymbolRefAttr):
            yield here.value
        elif isinstance(here, ir.SymbolRefAttr):
            yield here.value[0]
        elif isinstance(here, ir.ArrayAttr):
            waiting.extend(here)
        elif isinstance(here, ir.DictAttr):
            waiting.extend(named.attr for named in here)


def _named(module: ir.Operation, skip: set[str]) -> set[str]:
    """The symbols that ops name, except those that only name each other inside private functions of `skip`."""
    names: dict[str, set[str]] = {"": set()}
    for op in children(module):
        is_skipped = op.name == "func.func" and is_private(op) and symbol_name(op) in skip
        found = names.setdefault(symbol_name(op) if is_skipped else "", set())
        for inner in operations(op):
            for attribute in inner.attributes.values():
                found.update(_symbols(attribute))
    reached, waiting = set[str](), list(names[""])
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(names.get(name, ()))
    return reached
