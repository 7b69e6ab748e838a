"""Shared by the test passes: each replaces questions, ops of no dialect, by their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ...bindings import ir
from ...bindings.patterns import apply_patterns
from ...bindings.walk import is_result
from ...dialect.facts import facts
from ..base import Pass

Answer = Callable[[Any, Any], bool]
"""A pattern of the bindings: takes an op and a rewriter; true means no match."""


@dataclass(frozen=True)
class QuestionPass(Pass):
    """A pass that rewrites ops by name with the greedy driver of the bindings."""

    answers: ClassVar[Mapping[str, Answer]]
    anchor: ClassVar[str] = "func.func"

    once: ClassVar[bool] = False
    """Whether the pass visits ops once, from the first to the last, and not to a fixed point."""

    def run(self, op: ir.Operation) -> None:
        with op.location:
            apply_patterns(op, self.answers, once=self.once)


def tensor_of(value: ir.Value) -> ir.RankedTensorType:
    """Return the type of a ranked tensor."""
    return ir.RankedTensorType(value.type)


def is_constant(value: ir.Value) -> bool:
    """Return whether a constant op defines the value, a ranked tensor."""
    if isinstance(value.owner, ir.Block) or not isinstance(value.type, ir.RankedTensorType):
        return False
    return facts(value.owner.name).is_constant


def asked_about(op: Any) -> ir.Operation | None:
    """Return the op whose only result the question has as its only operand."""
    operands = list(op.operands)
    if len(operands) != 1 or not is_result(operands[0]):
        return None
    return operands[0].owner.operation
