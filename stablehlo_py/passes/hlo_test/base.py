"""What the test passes share: each replaces questions, ops of no dialect, by their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ...bindings import ir, rewrite
from ..base import Pass

Answer = Callable[[Any, Any], bool]
"""A pattern of the bindings: takes an op and a rewriter; true means no match."""


@dataclass(frozen=True)
class QuestionPass(Pass):
    """A pass that rewrites ops by name with the greedy driver of the bindings."""

    answers: ClassVar[Mapping[str, Answer]]
    anchor: ClassVar[str] = "func.func"

    def run(self, op: ir.Operation) -> None:
        patterns = rewrite.RewritePatternSet(op.context)
        for name, answer in self.answers.items():
            patterns.add(name, answer)
        with op.location:
            self.apply(op, patterns.freeze())

    def apply(self, op: ir.Operation, patterns: Any) -> None:
        """Apply the patterns until none matches."""
        rewrite.apply_patterns_and_fold_greedily(op, patterns)


def asked_about(op: Any) -> ir.Operation | None:
    """Return the op whose only result the question has as its only operand."""
    operands = list(op.operands)
    if len(operands) != 1 or not isinstance(operands[0], ir.OpResult):
        return None
    return operands[0].owner.operation
