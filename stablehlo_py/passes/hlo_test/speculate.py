"""`hlo-test-speculatability`: asks an op whether it may be speculated, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .base import Answer, QuestionPass, asked_about
from .speculatability import Speculatability, speculatability

_EXPECTATIONS = {
    "hlo_test_speculatability.is_speculatable": Speculatability.SPECULATABLE,
    "hlo_test_speculatability.is_recursively_speculatable": Speculatability.RECURSIVELY_SPECULATABLE,
    "hlo_test_speculatability.is_not_speculatable": Speculatability.NOT_SPECULATABLE,
}


def _confirm(op: Any, rewriter: Any) -> bool:
    """Erase the question and the op it is about when the answer is the one expected; true means no match."""
    asked = asked_about(op)
    uses = [] if asked is None else [use for result in asked.results for use in result.uses]
    if asked is None or len(uses) != 1 or speculatability(asked) is not _EXPECTATIONS[op.name]:
        return True
    rewriter.erase_op(op)
    rewriter.erase_op(asked)
    return False


@dataclass(frozen=True)
class HloTestSpeculatability(QuestionPass):
    """Remove `hlo_test_speculatability.is_…` and its op, if that has no other use and the answer is yes."""

    name: ClassVar[str] = "hlo-test-speculatability"
    summary: ClassVar[str] = "Erases each hlo_test_speculatability op whose operand is as speculatable as it says"
    answers: ClassVar[Mapping[str, Answer]] = dict.fromkeys(_EXPECTATIONS, _confirm)
    once: ClassVar[bool] = True
