"""The size of a program with its calls inlined, found without inlining: each level of calls can double it."""

from __future__ import annotations

from ..bindings import ir
from ..bindings.attributes import callee_of
from ..bindings.walk import functions, operations_within

# The inliner takes some seconds for 65,536 ops. A program may also grow to a multiple of its own size.
_MOST_OPS, _MOST_GROWTH = 1 << 16, 4
_CALL = "func.call"


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
