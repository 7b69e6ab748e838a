"""Rewriting ops by name, with the compiler's greedy driver, or by a walk where old bindings cannot drive patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from .provider import ir, rewrite
from .walk import operations


class Rewriter(Protocol):
    """The interface through which a pattern changes the program."""

    @property
    def ip(self) -> Any: ...

    def replace_op(self, op: Any, by: Any, /) -> None: ...

    def erase_op(self, op: Any, /) -> None: ...


# A pattern gets the op and a rewriter, and returns whether it does not match.
Pattern = Callable[[Any, Any], bool]
HAS_DRIVER = hasattr(rewrite, "RewritePatternSet") and hasattr(rewrite, "GreedyRewriteConfig")


class _Direct:
    """Changes the program at once."""

    def __init__(self, op: ir.Operation) -> None:
        self.ip = ir.InsertionPoint(op)
        self.erased: list[ir.Operation] = []

    def replace_op(self, op: Any, by: ir.Operation | ir.OpView | Sequence[ir.Value]) -> None:
        values = by if isinstance(by, Sequence) else by.operation.results
        for result, value in zip(op.results, values, strict=True):
            result.replace_all_uses_with(value)
        self.erase_op(op)

    def erase_op(self, op: Any) -> None:
        self.erased.append(op.operation)
        op.operation.erase()


def apply_patterns(op: ir.Operation, patterns: Mapping[str, Pattern], *, once: bool = False) -> None:
    """Rewrite the ops within `op` by the pattern of their name, and fold what the compiler folds.

    With `once` the ops are gone through a single time. Old bindings go through them once and fold nothing.
    """
    if not HAS_DRIVER:
        for inner in [inner for inner in operations(op) if inner.name in patterns]:
            with op.context, ir.InsertionPoint(inner):
                patterns[inner.name](inner, _Direct(inner))
        return
    known = rewrite.RewritePatternSet(op.context)
    for name, pattern in patterns.items():
        known.add(name, pattern)
    if not once:
        rewrite.apply_patterns_and_fold_greedily(op, known.freeze())
        return
    config = rewrite.GreedyRewriteConfig()
    config.max_iterations = 1
    config.use_top_down_traversal = True
    config.region_simplification_level = rewrite.GreedySimplifyRegionLevel.DISABLED
    with suppress(RuntimeError):  # one iteration need not reach a fixed point
        rewrite.apply_patterns_and_fold_greedily(op, known.freeze(), config)
