"""A program with its calls inlined, and its size, found without inlining: each level of calls can double it.

`Inline` replaces the bindings' pass of this name in releases that cannot inline functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

from ..bindings import ir, passmanager
from ..bindings.attributes import CALLS, callee_of
from ..bindings.bytecode import copy_of
from ..bindings.walk import (
    blocks,
    body_of,
    functions,
    has_body,
    operations,
    operations_within,
    replace_operands,
    symbols,
)
from ..errors import InputError
from ..syntax.spelling import hint
from .base import Pass
from .pipeline import run_pipeline

MAIN = "main"

# The inliner takes some seconds for 65,536 ops. A program may also grow to a multiple of its own size.
_MOST_OPS, _MOST_GROWTH = 1 << 16, 4
_CALL = "func.call"


def inlined(module: ir.Module, *, with_positions: bool = False) -> ir.Module:
    """Return a copy with all calls in `main` inlined.

    Calls stay if the program would grow without measure. The only function of a program is its `main`.

    Args:
        module: The program.
        with_positions: Whether the location of each op becomes its position among the ops of `module`, as a line. The
            position of an inlined op is followed by those of its calls.

    Raises:
        InputError: The program has no `main`.
    """
    copy = copy_of(module)
    context = copy.context
    name_main(copy)
    for name, op in functions(copy.operation).items():
        if name != MAIN:
            op.attributes["sym_visibility"] = ir.StringAttr.get("private", context)
    ops = operations(copy.operation)
    if with_positions:
        for position, op in enumerate(ops):
            op.location = ir.Location.file("", position, 0, context)
    if any(op.name in CALLS for op in ops) and not too_many_inlined(copy.operation, MAIN):
        # Without its default pipeline the inliner leaves all other ops as they are.
        manager = passmanager.PassManager.parse("builtin.module(inline{default-pipeline=},symbol-dce)", context)
        manager.run(copy.operation)
    return copy


def name_main(module: ir.Module, name: str = MAIN) -> None:
    """Call a function `main`, by default the only one; the function of that name before gets another one.

    Raises:
        InputError: The program has no function of this name, or only its declaration.
    """
    known = functions(module.operation)
    if name == MAIN and MAIN not in known and len(known) == 1:
        (name,) = known
    if name not in known:
        names = ", ".join(f"@{known_name}" for known_name in known)
        found = names if names else "none"
        raise InputError(f"the program has no function @{name}; it has {found}{hint(name, known)}")
    if not has_body(known[name]):
        raise InputError(f"function @{name} has no body")
    if name == MAIN:
        return
    if MAIN in symbols(module.operation):
        _rename(module, MAIN, next(one for n in count() if (one := f"{MAIN}_{n}") not in symbols(module.operation)))
    _rename(module, name, MAIN)
    if "sym_visibility" in known[name].attributes:
        del known[name].attributes["sym_visibility"]


def _rename(module: ir.Module, old: str, new: str) -> None:
    table: Any = vars(ir)["SymbolTable"]  # which the stubs lack
    table.replace_all_symbol_uses(old, new, module.operation)
    symbols(module.operation)[old].attributes["sym_name"] = ir.StringAttr.get(new, module.context)


def too_many_inlined(module: ir.Operation, name: str) -> int:
    """Return the number of ops of the function called `name` with all calls in it inlined, or 0 if that is few.

    A call stays one op if its function has no body, or leads back to itself.
    """
    known = functions(module)
    ops = {function: max(len(operations_within(op)) - 1, 1) for function, op in known.items()}  # without the return
    calls = _callees(known)
    sizes: dict[str, int] = {}
    for function in _callees_first(calls, [name]):
        sizes[function] = ops[function] + sum(sizes.get(callee, 1) - 1 for callee in calls[function])
    limit = max(_MOST_OPS, _MOST_GROWTH * sum(ops.values()))
    return sizes[name] if sizes[name] > limit else 0


def _calls(function: ir.Operation) -> list[ir.Operation]:
    return [op for op in operations(function) if op.name == _CALL]


def _callees(known: Mapping[str, ir.Operation]) -> dict[str, list[str]]:
    """Return the functions that each function calls, once per call."""
    return {name: [callee_of(call) for call in _calls(op)] for name, op in known.items()}


def _callees_first(calls: Mapping[str, Sequence[str]], roots: Sequence[str]) -> list[str]:
    """Return the functions that roots lead to, callees before callers unless they call each other."""
    order: list[str] = []
    seen: set[str] = set()
    waiting = [(root, False) for root in reversed(roots)]
    while waiting:
        name, is_done = waiting.pop()
        if is_done:
            order.append(name)
        elif name not in seen:
            seen.add(name)
            waiting.append((name, True))
            waiting.extend((callee, False) for callee in calls[name] if callee in calls)
    return order


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
        for name in _callees_first(_callees(known), list(known)):
            for call in _calls(known[name]):
                callee = known.get(callee_of(call))
                if callee is not None and callee_of(call) != name and _can_be_inlined(callee, known):
                    _inline(call, callee)
        following = f",func.func({self.default_pipeline})" if self.default_pipeline else ""
        run_pipeline(op, f"builtin.module(symbol-dce{following})")


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
