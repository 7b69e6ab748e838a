"""A program with its calls inlined, and its size, found without inlining: each level of calls can double it."""

from __future__ import annotations

from ..bindings import ir, passmanager
from ..bindings.attributes import CALLS, callee_of
from ..bindings.bytecode import copy_of
from ..bindings.walk import functions, operations, operations_within
from ..errors import InputError

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
    _name_main(copy)
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


def _name_main(module: ir.Module) -> None:
    known = functions(module.operation)
    if MAIN not in known and len(known) == 1:
        (function,) = known.values()
        function.attributes["sym_name"] = ir.StringAttr.get(MAIN, module.context)
    elif MAIN not in known:
        names = ", ".join(f"@{name}" for name in known)
        raise InputError(f"the program has no function @main; it has {names if names else 'none'}")


def too_many_inlined(module: ir.Operation, name: str) -> int:
    """Return the number of ops of the function called `name` with all calls in it inlined, or 0 if that is few.

    A call stays one op if its function has no body, or leads back to itself.
    """
    known = {function: _content(op) for function, op in functions(module).items()}
    sizes: dict[str, int] = {}
    entered: set[str] = set()
    pending = [name]
    while pending:
        function = pending[-1]
        ops, calls = known[function]
        inner = [callee for callee in dict.fromkeys(calls) if callee in known and callee not in entered]
        entered.add(function)
        if inner:
            pending += inner
        else:
            pending.pop()
            sizes[function] = ops + sum(sizes.get(callee, 1) - 1 for callee in calls)
    limit = max(_MOST_OPS, _MOST_GROWTH * sum(ops for ops, _ in known.values()))
    return sizes[name] if sizes[name] > limit else 0


def _content(function: ir.Operation) -> tuple[int, list[str]]:
    """Return the number of ops in a function, its return not counted, and the callees of its calls."""
    ops = operations_within(function)
    return max(len(ops) - 1, 1), [callee_of(op) for op in ops if op.name == _CALL]
