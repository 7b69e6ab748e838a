"""`hlo-test-infer`: shows which types and shapes the dialects infer for an op, for tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...bindings import ir
from ...bindings.build import attributes_of, create
from ...bindings.diagnostics import warn
from .base import Answer, QuestionPass, asked_about
from .inference import inferred_components, inferred_types
from .reification import is_unsupported_broadcast, reify_result_shapes


def _show(infer: Callable[[ir.Operation], Sequence[ir.Type] | None], shown_by: str) -> Callable[[Any, Any], bool]:
    """A pattern that replaces the question by an op with attributes `types0`, …; true means no match."""

    def pattern(op: Any, rewriter: Any) -> bool:
        asked = asked_about(op)
        types = None if asked is None else infer(asked)
        if types is None:
            return True
        attributes = attributes_of(op)
        attributes |= {f"types{i}": ir.TypeAttr.get(kind, op.context) for i, kind in enumerate(types)}
        with rewriter.ip, op.location:
            shown = create(shown_by, op.operands, [result.type for result in op.results], attributes)
        rewriter.replace_op(op, shown)
        return False

    return pattern


def _reify(op: Any, rewriter: Any) -> bool:
    asked = asked_about(op)
    if asked is None:
        return True
    if is_unsupported_broadcast(asked):
        dimensions = asked.attributes["broadcast_dimensions"]
        warn(asked.location, f"unsupported non prefix-padded dynamic rank broadcast_dimensions = {dimensions}")
        return True
    with rewriter.ip:
        shapes = reify_result_shapes(asked)
    if not shapes:
        return True
    rewriter.replace_op(op, list(shapes))
    return False


@dataclass(frozen=True)
class HloTestInfer(QuestionPass):
    """Replace `hlo_test_infer.get_return_types` and `.get_return_type_components` by an op that carries what was
    inferred as `types0`, …, and `.reify_return_type_shapes` by the ops that compute the shape."""

    name: ClassVar[str] = "hlo-test-infer"
    summary: ClassVar[str] = "Shows the inferred types, components or shapes of the operands of hlo_test_infer ops"
    answers: ClassVar[Mapping[str, Answer]] = {
        "hlo_test_infer.get_return_types": _show(inferred_types, "hlo_test_infer.return_types"),
        "hlo_test_infer.reify_return_type_shapes": _reify,
        "hlo_test_infer.get_return_type_components": _show(
            inferred_components, "hlo_test_infer.return_type_components"
        ),
    }
