"""`hlo-test-speculatability`: asks an op whether it may be speculated, for tests."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from ...bindings import ir, rewrite
from ..base import Pass
from .speculatability import Speculatability, speculatability

_EXPECTATIONS = {
    "hlo_test_speculatability.is_speculatable": Speculatability.SPECULATABLE,
    "hlo_test_speculatability.is_recursively_speculatable": Speculatability.RECURSIVELY_SPECULATABLE,
    "hlo_test_speculatability.is_not_speculatable": Speculatability.NOT_SPECULATABLE,
}


def _uses(op: ir.Operation) -> int:
    return sum(1 for result in op.results for _ in result.uses)


def _confirm(op: Any, rewriter: Any) -> bool:
    """Erase the question and the op it is about when the answer is the one expected; true means no match."""
    operands = list(op.operands)
    if len(operands) != 1 or not isinstance(operands[0], ir.OpResult):
        return True
    asked = operands[0].owner.operation
    if _uses(asked) != 1 or speculatability(asked) is not _EXPECTATIONS[op.name]:
        return True
    del operands
    rewriter.erase_op(op)
    rewriter.erase_op(asked)
    return False


@dataclass(frozen=True)
class HloTestSpeculatability(Pass):
    """Where `hlo_test_speculatability.is_…` is the only use of an op and the answer is yes, both disappear."""

    name: ClassVar[str] = "hlo-test-speculatability"
    summary: ClassVar[str] = "Erases each hlo_test_speculatability op whose operand is as speculatable as it says"
    anchor: ClassVar[str] = "func.func"

    def run(self, op: ir.Operation) -> None:
        patterns = rewrite.RewritePatternSet(op.context)
        for name in _EXPECTATIONS:
            patterns.add(name, _confirm)
        config = rewrite.GreedyRewriteConfig()
        config.max_iterations = 1
        config.use_top_down_traversal = True
        config.region_simplification_level = rewrite.GreedySimplifyRegionLevel.DISABLED
        with suppress(RuntimeError):  # one iteration need not reach a fixed point
            rewrite.apply_patterns_and_fold_greedily(op, patterns.freeze(), config)
