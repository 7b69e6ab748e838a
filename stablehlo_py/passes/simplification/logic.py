"""Identities of comparison and selection."""

from __future__ import annotations

from ...bindings import ir
from ...bindings.attributes import enum_of
from ...bindings.types import Kind
from ..matching import all_known, constant_array, defining_op, inherent_attributes, is_constant, splat_value
from ..rewriting import Pattern, Rewriter, pattern
from ..snapshot.parts import Op

PATTERNS: list[Pattern] = []

_MIRRORED = {"EQ": "EQ", "NE": "NE", "GE": "LE", "GT": "LT", "LE": "GE", "LT": "GT"}


@pattern(PATTERNS, "compare")
def compare_with_itself(op: Op, rewriter: Rewriter) -> bool:
    """x = x, x >= x and x <= x hold; x != x, x > x and x < x do not. This is so for integers, booleans, and floats in
    total order (NaN = NaN is false in the usual order)."""
    lhs, rhs = op.operands
    element = lhs.tensor.element
    is_total_order = "TOTALORDER" in str(op.attributes.get("compare_type"))
    if lhs != rhs or element is None or not (element.is_integral or is_total_order):
        return False
    if op.results[0].tensor.count is None:
        return False
    holds = enum_of(op.attributes["comparison_direction"]) in ("EQ", "GE", "LE")
    return rewriter.replace(op, [rewriter.constant(holds, op.results[0].type, before=op)])


@pattern(PATTERNS, "compare", of={0: "constant"})
def compare_constant_to_the_right(op: Op, rewriter: Rewriter) -> bool:
    """constant < x is x > constant, and so on: the other patterns need look for constants only there."""
    lhs, rhs = op.operands
    if not is_constant(lhs) or is_constant(rhs):
        return False
    mirrored = _MIRRORED[enum_of(op.attributes["comparison_direction"])]
    direction = ir.Attribute.parse(f"#stablehlo<comparison_direction {mirrored}>")
    attributes = {**inherent_attributes(op), "comparison_direction": direction}
    return rewriter.rewrite_as(op, "compare", [rhs, lhs], attributes)


@pattern(PATTERNS, "compare", of={1: "constant"}, needs=lambda element: element.kind is Kind.BOOLEAN)
def compare_with_truth(op: Op, rewriter: Rewriter) -> bool:
    """For booleans, x = true and x != false are x; x = false and x != true are not x."""
    lhs, rhs = op.operands
    direction, truth = enum_of(op.attributes["comparison_direction"]), splat_value(rhs)
    if direction not in ("EQ", "NE") or lhs.type != op.results[0].type or truth is None:
        return False
    if bool(truth) == (direction == "EQ"):
        return rewriter.forward(op, lhs)
    return rewriter.rewrite_as(op, "not", [lhs])


@pattern(PATTERNS, "select")
def select_between_equals(op: Op, rewriter: Rewriter) -> bool:
    """select(p, x, x) = x."""
    _, on_true, on_false = op.operands
    return on_true == on_false and rewriter.forward(op, on_true)


@pattern(PATTERNS, "select", of={0: "constant"})
def select_by_constant(op: Op, rewriter: Rewriter) -> bool:
    """select(true, x, y) = x and select(false, x, y) = y, for a constant that is the same everywhere."""
    pred, on_true, on_false = op.operands
    chosen = splat_value(pred)
    return chosen is not None and rewriter.forward(op, on_true if chosen else on_false)


@pattern(PATTERNS, "select", of={0: "constant"})
def select_between_constants(op: Op, rewriter: Rewriter) -> bool:
    """A selection between constants by a constant is a constant, within the limit on elements."""
    count = op.results[0].tensor.count
    if count is None or count > rewriter.options.fold_op_element_limit:
        return False
    arrays = all_known(map(constant_array, op.operands))
    if arrays is None or len({array.shape for array in arrays}) > 1:
        return False
    chosen, if_true, if_false = arrays
    value = if_false.copy()
    value[chosen] = if_true[chosen]
    return rewriter.replace(op, [rewriter.constant(value, op.results[0].type, before=op)])


@pattern(PATTERNS, "select", of={0: "not"})
def select_by_negation(op: Op, rewriter: Rewriter) -> bool:
    """select(not p, x, y) = select(p, y, x)."""
    _, on_true, on_false = op.operands
    return rewriter.rewrite_as(op, "select", [op.source(0).operands[0], on_false, on_true])


@pattern(PATTERNS, "select", of={0: "broadcast_in_dim"})
def select_by_broadcast_negation(op: Op, rewriter: Rewriter) -> bool:
    """select(broadcast(not p), x, y) = select(broadcast(p), y, x), if nothing else uses the broadcast."""
    pred, on_true, on_false = op.operands
    broadcast = op.source(0)
    negation = defining_op(broadcast.operands[0], "not")
    if negation is None or not pred.has_one_use:
        return False
    attributes, type_ = inherent_attributes(broadcast), broadcast.results[0].type
    direct = rewriter.create("broadcast_in_dim", negation.operands, attributes, before=op, result=type_)
    return rewriter.rewrite_as(op, "select", [direct.results[0], on_false, on_true])


@pattern(PATTERNS, "select", of={1: "constant"}, needs=lambda element: element.kind is Kind.BOOLEAN)
def select_of_truth(op: Op, rewriter: Rewriter) -> bool:
    """select(p, true, false) = p and select(p, false, true) = not p."""
    pred, on_true, on_false = op.operands
    if pred.type != op.results[0].type:
        return False
    if_true, if_false = splat_value(on_true), splat_value(on_false)
    if if_true is None or if_false is None or bool(if_true) == bool(if_false):
        return False
    return rewriter.forward(op, pred) if bool(if_true) else rewriter.rewrite_as(op, "not", [pred])
