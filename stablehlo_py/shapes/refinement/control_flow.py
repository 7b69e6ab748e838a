"""Transfer functions of control flow, and of the ops that pass values through.

Each function here takes what is known on the way into an op, or out of its regions, on to the values that depend on
it. One returns the next node if it is not the following one: a loop whose carried state has changed.
"""

from __future__ import annotations

from collections.abc import Callable

from ...bindings import ir
from ...bindings.attributes import string_of
from ...bindings.walk import terminator_of
from ..evaluation.attributes import read_attribute
from ..evaluation.evaluator import Assertion
from .context import Context, State
from .outline import OutlineNode
from .shape_arithmetic import evaluate_elements
from .value_facts import Sizes

Transfer = Callable[[Context, OutlineNode], int | None]


def _branches(context: Context, node: OutlineNode) -> None:
    """if and case: a result is the common state of all branches."""
    op = node.op
    branches = (context.states(list(terminator_of(region.blocks[0]).operands)) for region in op.regions)
    joined = next(branches)
    for states in branches:
        for result, first, second in zip(op.results, joined, states, strict=True):
            _check_agreement(context, op, result, first[0], second[0])
        joined = [context.joined(*pair) for pair in zip(op.results, joined, states, strict=True)]
    context.give(op, joined)


def _check_agreement(
    context: Context, op: ir.Operation, result: ir.Value, first: Sizes | None, second: Sizes | None
) -> None:
    """Branches have to return the same types (if C2, case C4), so dimension sizes that are known to differ are an
    error."""
    for dimension, (a, b) in enumerate(zip(first or (), second or (), strict=False)):
        if isinstance(a, int) and isinstance(b, int) and a != b:
            number = ir.OpResult(result).result_number
            raise context.refuted(op, f"branches return {a} and {b} for dimension {dimension} of result {number}")


def _loop_entry(context: Context, node: OutlineNode) -> None:
    """while: the carried values from outside. A dimension size that has changed in the loop before stays one of its
    results."""
    op = node.op
    incoming = context.states(list(op.operands))
    before = context.headers.get(op)
    if before is not None:
        incoming = [_incoming(context, *states) for states in zip(op.results, before, incoming, strict=True)]
    context.rounds[op] = 0
    _carry(context, op, incoming)


def _incoming(context: Context, result: ir.Value, before: State, incoming: State) -> State:
    if before[0] is None or incoming[0] is None or len(before[0]) != len(incoming[0]):
        return None, None
    sizes = tuple(
        old if old == context.facts.fresh_size(result, i) else new
        for i, (old, new) in enumerate(zip(before[0], incoming[0], strict=True))
    )
    return sizes, None if before[1] is None else incoming[1]


def _carry(context: Context, op: ir.Operation, states: list[State]) -> None:
    context.headers[op] = states
    for region in op.regions:
        for argument, state in zip(region.blocks[0].arguments, states, strict=True):
            context.assume(argument, state)


def _loop_exit(context: Context, node: OutlineNode) -> int | None:
    """while: join the carried state before and after an iteration, then widen. The widening: a dimension size that is
    not the same before and after a round becomes a symbol of its own, and elements become unknown; so each changes once
    at the most."""
    op = node.op
    before = context.headers[op]
    after = context.states(list(terminator_of(op.regions[1].blocks[0]).operands))
    joined: list[State] = [context.joined(*states) for states in zip(op.results, before, after, strict=True)]
    if joined == before:
        context.give(op, before)
        return None
    context.rounds[op] += 1
    if context.rounds[op] >= context.program.max_iterations:
        limit = context.program.max_iterations
        context.program.limits[f"refinement stopped after {limit} iterations of a loop"] = None
        joined = [(context.declared_sizes(result), None) for result in op.results]
        if joined == before:
            context.give(op, before)
            return None
    _carry(context, op, joined)
    return node.start


def _custom_call(context: Context, node: OutlineNode) -> None:
    """The targets that exist for shapes: what refine-arguments puts in, assertions, which hold from here on, and any
    with `indices_of_shape_operands`."""
    op = node.body
    target = ir.StringAttr(op.attributes["call_target_name"]).value
    if target == "stablehlo.shape_refinement_operand_wrapper":
        context.pass_through(op.operands[0], op.results[0], op)
        context.stand_ins[op] = None
        return
    if target == "shape_assertion" and len(op.operands):
        elements = context.facts.elements(op.operands[0])
        if elements and elements[0] is False:
            raise context.refuted(op, _assertion_text(context, op))
        if elements:
            context.learn(elements[0])
    if "indices_of_shape_operands" not in op.attributes:
        return
    indices: list[int] = read_attribute(op.attributes["indices_of_shape_operands"], "list[int]")
    for position, (index, result) in enumerate(zip(indices, op.results, strict=False)):
        if not 0 <= index < len(op.operands):
            continue
        elements = context.facts.elements(op.operands[index])
        if elements is not None and isinstance(result.type, ir.RankedTensorType):
            context.refine(result, elements, op, position)


def _assertion_text(context: Context, op: ir.Operation) -> str:
    """Return the message of an assertion of the program, with its numbers."""
    numbers = [context.facts.elements(operand) for operand in list(op.operands)[1:]]
    message = (
        string_of(op.attributes["error_message"]) if "error_message" in op.attributes else "a shape assertion fails"
    )
    return Assertion(False, message, tuple([number[0] for number in numbers if number])).text


def _barrier(context: Context, node: OutlineNode) -> None:
    for operand, result in zip(node.body.operands, node.body.results, strict=True):
        context.pass_through(operand, result, node.body)
    evaluate_elements(node.body, node.name, context.facts)


def _region_exit(context: Context, node: OutlineNode) -> None:
    for inner, outer in zip(terminator_of(node.op.regions[0].blocks[0]).operands, node.op.results, strict=True):
        context.carry(inner, outer)


CONTROL: dict[tuple[str, str], Transfer] = {
    ("entry", "stablehlo.while"): _loop_entry,
    ("exit", "stablehlo.if"): _branches,
    ("exit", "stablehlo.case"): _branches,
    ("exit", "stablehlo.while"): _loop_exit,
    ("exit", "scf.execute_region"): _region_exit,
}
TRANSFERS: dict[str, Transfer] = {
    "stablehlo.custom_call": _custom_call,
    "stablehlo.optimization_barrier": _barrier,
}
