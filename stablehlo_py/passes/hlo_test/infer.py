"""`hlo-test-infer`: shows which types and shapes the dialects infer for an op, for tests.

The bindings' inference interfaces read the properties of ops wrongly. So an op without regions is created anew with
inferred types. An op with regions is verified with impossible results: the diagnostic names the inferred ones. Neither
changes the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from ...bindings import ir, stablehlo_extension
from ...bindings.build import attributes_of, create, tensor_type
from ...bindings.diagnostics import diagnostics_to, warn
from ...bindings.types import bounds_of, shape_of
from ...dialect.facts import facts
from .base import Answer, QuestionPass, asked_about
from .reification import is_unsupported_broadcast, reify_result_shapes
from .sizes import shapes_by_function

_INFERRED = re.compile(r"inferred type\(s\) (?P<types>.*) are incompatible with return type\(s\) of operation")
_INFERRED_SHAPE = re.compile(r"inferred shape '\[(?P<shape>.*)\]' is incompatible with return type of operation")


def inferred_types(op: ir.Operation) -> Sequence[ir.Type] | None:
    """Return the inferred type of each result of an op that verifies, or None without inference.

    It can differ from the op's own type in shape, bounds and quantization.
    """
    if not _implements(ir.InferTypeOpInterface, op):
        return None
    if len(op.regions):
        return _from_diagnostic(op)
    try:
        twin = create(
            op.name, op.operands, attributes=attributes_of(op), at=ir.InsertionPoint(op), location=op.location
        )
    except ir.MLIRError:
        return None
    types = [result.type for result in twin.results]
    twin.erase()
    return types


def inferred_components(op: ir.Operation) -> Sequence[ir.Type] | None:
    """Return the same as `inferred_types` for ops that infer shape, element type and bounds separately.

    The element type is `index` where it is not inferred.
    """
    if not facts(op.name).components or not _implements(ir.InferShapedTypeOpInterface, op):
        return None
    if op.name in ("stablehlo.dot", "stablehlo.dot_general"):
        return [_dot_components(op)]
    if op.name == "chlo.ragged_dot":
        return _from_diagnostic(op)
    return inferred_types(op)


def _implements(interface: type, op: ir.Operation) -> bool:
    try:
        interface(op)
    except ValueError:
        return False
    return True


def _from_diagnostic(op: ir.Operation) -> Sequence[ir.Type] | None:
    """Try results of another rank first; where a trait compares shapes, results of another element type."""
    if not len(op.results):
        return []
    original = op.results[0].type
    twin = op.clone(ip=ir.InsertionPoint(op))
    try:
        for wrong in _wrong_types(original):
            twin.results[0].set_type(wrong)
            types = _types_named_on_failure(twin)
            if types is not None:
                return types
    finally:
        twin.erase()
    return None


def _wrong_types(original: ir.Type) -> list[ir.Type]:
    with original.context:
        if not isinstance(original, ir.RankedTensorType):
            tensor = ir.RankedTensorType.get([7], ir.F32Type.get())
            return [tensor, stablehlo_extension.FutureType.get([tensor, tensor])]
        tensor = ir.RankedTensorType(original)
        shape = list(tensor.shape)
        others = [ir.F16Type.get(), ir.IntegerType.get_signless(16)]
        return [
            ir.RankedTensorType.get([*shape, 7], tensor.element_type),
            *(ir.RankedTensorType.get(shape, element, tensor.encoding) for element in others),
        ]


def _types_named_on_failure(op: ir.Operation) -> Sequence[ir.Type] | None:
    messages: list[str] = []
    with diagnostics_to(op.context, lambda diagnostic: messages.append(diagnostic.message)), suppress(ir.MLIRError):
        op.verify()
    for message in messages:
        match = _INFERRED.search(message)
        if match:
            return [ir.Type.parse(text, op.context) for text in re.findall(r"'([^']*)'", match["types"])]
        match = _INFERRED_SHAPE.search(message)
        if match:
            sizes = match["shape"].replace(", ", "x")
            return [ir.Type.parse(f"tensor<{sizes}{'x' if sizes else ''}index>", op.context)]
    return None


def _dot_components(op: ir.Operation) -> ir.Type:
    """Return the shape that the shape function tells, each dimension with its bound."""
    (shape,) = shapes_by_function(op)
    chosen = [
        (op.operands[size.terms[0].operand].type, size.terms[0].position) for size in shape if not isinstance(size, int)
    ]
    sizes = [shape_of(type_)[dimension] for type_, dimension in chosen]
    bounds = [found[dimension] if (found := bounds_of(type_)) else None for type_, dimension in chosen]
    return tensor_type(sizes, ir.IndexType.get(op.context), bounds)


def _show(infer: Callable[[ir.Operation], Sequence[ir.Type] | None], shown_by: str) -> Callable[[Any, Any], bool]:
    """Return a pattern that replaces the question by an op with attributes `types0`, …; true means no match."""

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
