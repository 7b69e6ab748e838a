"""Branches that are chosen, and loops that end, before the program runs."""

from __future__ import annotations

import numpy as np

from ...bindings import ir
from ...bindings.elements import dtype_of
from ..effects import declares_effects, is_effect_free, is_terminator, is_unused
from ..matching import constant_array, constant_int, same_types, shape_of, splat_value
from ..rewriting import Pattern, Rewriter, pattern
from ..simplification.reduction import computed_from
from ..snapshot.parts import Op, Value, body_of
from .evaluation import compute, follows_from

PATTERNS: list[Pattern] = []


def _chosen_branch(op: Op) -> int | None:
    """The number of the region that runs, if it is known. An index out of range chooses the last branch."""
    if op.name == "stablehlo.if":
        chosen = splat_value(op.operands[0])
        return None if chosen is None else (0 if chosen else 1)
    index = constant_int(op.operands[0])
    last = len(op.regions) - 1
    return None if index is None else (index if 0 <= index <= last else last)


def _can_stand_in(type_: ir.Type) -> bool:
    """Return whether `_placeholder` knows a value of the type."""
    if isinstance(type_, ir.RankedTensorType):
        return type_.has_static_shape and not str(type_.element_type).startswith("!quant.")
    return str(type_) == "!stablehlo.token"


def _placeholder(type_: ir.Type, before: Op, rewriter: Rewriter) -> Value:
    """Some value of the type, to be returned by a branch that never runs."""
    if not isinstance(type_, ir.RankedTensorType):
        return rewriter.create("after_all", [], before=before).results[0]
    zero = np.zeros((), dtype_of(type_.element_type))
    return rewriter.constant(np.broadcast_to(zero, shape_of(type_)), type_, before=before)


@pattern(PATTERNS, "if", "case", benefit=2, keeps_effects=True)
def inline_chosen_branch(op: Op, rewriter: Rewriter) -> bool:
    """The branch that a constant chooses takes the op's place. If another branch has side effects, the op stays with an
    empty branch and no users: code that depends on the mere presence of a side effect, such as a channel, must not
    break."""
    chosen = _chosen_branch(op)
    if chosen is None:
        return False
    others = [nested for i in range(len(op.regions)) if i != chosen for nested in body_of(op, i).operations]
    removable = all(is_terminator(nested) or is_effect_free(nested) for nested in others)
    if not removable and (is_unused(op) or not all(_can_stand_in(result.type) for result in op.results)):
        return False
    block = body_of(op, chosen)
    terminator = block.terminator
    values = list(terminator.operands)
    if not same_types(values, op.results):
        return False
    for nested in block.operations[:-1]:
        nested.move_before(op)
        rewriter.push(nested)
    if removable:
        return rewriter.replace(op, values)
    rewriter.replace_uses(op, values)
    for index, result in enumerate(op.results):
        rewriter.set_operand(terminator, index, _placeholder(result.type, op, rewriter))
    return True


def _never_runs(op: Op, limit: int) -> bool:
    """Return whether a loop's condition is known to be false on entry."""
    block = body_of(op, 0)
    inputs = dict(zip(block.arguments, op.operands, strict=True))
    computed: dict[Value, np.ndarray] = {}

    def array_of(value: Value) -> np.ndarray | None:
        return computed[value] if value in computed else constant_array(inputs.get(value, value))

    condition = block.terminator.operands[0]
    arguments, needed = computed_from([condition], block)
    if any(constant_array(op.operands[number]) is None for number in arguments):
        return False
    for inner in block.operations:
        if inner not in needed or inner.kind.is_constant:
            continue
        is_small = all((result.tensor.count or 0) <= limit for result in inner.results)
        if not is_small or inner.regions or not follows_from(inner, lambda value: array_of(value) is not None):
            return False
        results = compute(inner, array_of, lambda _op, _arrays: "", lambda _op, _reason: None)
        if results is None:
            return False
        computed.update(zip(inner.results, results, strict=True))
    array = array_of(condition)
    return array is not None and not bool(array)


@pattern(PATTERNS, "while", benefit=2, keeps_effects=True)
def loop_that_never_runs(op: Op, rewriter: Rewriter) -> bool:
    """A loop whose condition is false on entry gives its operands. It goes only without side effects, although they
    never happen: code can depend on the mere presence of one."""
    if is_unused(op) or not same_types(op.operands, op.results):
        return False
    if not _never_runs(op, rewriter.options.fold_op_element_limit):
        return False
    return rewriter.replace_uses(op, list(op.operands))


@pattern(PATTERNS, "while", benefit=2, keeps_effects=True)
def loop_presumed_pure_that_never_runs(op: Op, rewriter: Rewriter) -> bool:
    """With `assume-no-undeclared-side-effects`, an unused loop whose condition is false on entry goes if nothing in
    it declares an effect: calls declare none."""
    if not rewriter.options.assume_no_undeclared_side_effects or not is_unused(op):
        return False
    if declares_effects(op) or not _never_runs(op, rewriter.options.fold_op_element_limit):
        return False
    return rewriter.erase(op)
