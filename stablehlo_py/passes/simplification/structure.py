"""Loops, tuples, custom calls, and tensors without elements."""

from __future__ import annotations

import numpy as np

from ...bindings import ir
from ...bindings.attributes import int_of
from ...bindings.elements import dtype_of
from ..effects import is_effect_free, is_unused
from ..matching import all_known, constant_op, defining_op, same_types, shape_of
from ..rewriting import Pattern, Rewriter, pattern
from ..snapshot.parts import Op, Value, body_of
from .reduction import all_operands, computed_from

PATTERNS: list[Pattern] = []


@pattern(PATTERNS, "while", benefit=0, keeps_effects=True)
def loop_invariant_state(op: Op, rewriter: Rewriter) -> bool:
    """State that every iteration hands on unchanged, or sets to its initial value, is that initial value: inside, it
    is captured, and it leaves the loop's state."""
    condition, body = body_of(op, 0), body_of(op, 1)
    invariant: list[int] = []
    for index, (initial, value) in enumerate(zip(op.operands, body.terminator.operands, strict=True)):
        taken = (condition.arguments[index], body.arguments[index], op.results[index])
        if value in (taken[1], initial) and same_types([initial] * 3, taken):
            invariant.append(index)
    for index in invariant:
        for value in (condition.arguments[index], body.arguments[index], op.results[index]):
            rewriter.use_instead(value, op.operands[index])
    return bool(invariant) and _drop_state(op, invariant, rewriter)


@pattern(PATTERNS, "while", benefit=0, keeps_effects=True)
def loop_state_nobody_reads(op: Op, rewriter: Rewriter) -> bool:
    """State with an unused result leaves the loop with its computation in the body, if neither the condition nor other
    state nor a side effect depends on it."""
    condition, body = body_of(op, 0), body_of(op, 1)
    droppable = {
        index for index, result in enumerate(op.results) if not result.uses and not condition.arguments[index].uses
    }
    if not droppable:
        return False
    effectful = [nested for nested in body.operations[:-1] if not is_effect_free(nested)]
    roots = [operand for nested in effectful for operand in all_operands(nested)]

    def needed() -> set[int]:
        live = [value for index, value in enumerate(body.terminator.operands) if index not in droppable]
        return droppable.intersection(computed_from(roots + live, body)[0])

    while more := needed():
        droppable -= more
    return bool(droppable) and _drop_state(op, sorted(droppable), rewriter)


def _drop_state(op: Op, dropped: list[int], rewriter: Rewriter) -> bool:
    """Replace a loop by one without the state `dropped`, which nothing outside uses any more. Returns True."""
    gone = set(dropped)
    kept = [index for index in range(len(op.operands)) if index not in gone]
    operands, types = [op.operands[index] for index in kept], [op.results[index].type for index in kept]
    new = rewriter.create("while", operands, op.attributes, before=op, result=types, regions=2)
    condition, body = body_of(op, 0), body_of(op, 1)
    returning = body.terminator
    rewriter.create("return", [returning.operands[index] for index in kept], before=returning, result=[])
    rewriter.erase(returning)
    for block, region in ((condition, new.regions[0]), (body, new.regions[1])):
        block.append_to(region)
        if any(block.arguments[index].uses for index in dropped):
            for nested in block.operations[-2::-1]:  # dead by now, users after what they use
                if is_effect_free(nested) and is_unused(nested):
                    rewriter.erase(nested)
        for index in reversed(dropped):
            block.erase_argument(index)
    for index, result in zip(kept, new.results, strict=True):
        rewriter.use_instead(op.results[index], result)
    return rewriter.erase(op)


@pattern(PATTERNS, "get_tuple_element", of={0: "tuple"})
def element_of_tuple(op: Op, rewriter: Rewriter) -> bool:
    """Element i of tuple(x_0, x_1, …) is x_i."""
    return rewriter.forward(op, op.source(0).operands[int_of(op.attributes["index"])])


@pattern(PATTERNS, "tuple")
def tuple_of_elements(op: Op, rewriter: Rewriter) -> bool:
    """A tuple of all elements of another, in order, is the other."""
    elements = all_known(defining_op(value, "get_tuple_element") for value in op.operands)
    if not elements or [int_of(element.attributes["index"]) for element in elements] != list(range(len(elements))):
        return False
    source = elements[0].operands[0]
    return all(element.operands[0] == source for element in elements) and rewriter.forward(op, source)


@pattern(PATTERNS, "optimization_barrier")
def barrier_around_nothing(op: Op, rewriter: Rewriter) -> bool:
    """A barrier without operands holds nothing back."""
    return len(op.operands) == 0 and rewriter.erase(op)


@pattern(PATTERNS, "custom_call", keeps_effects=True)
def backend_config_as_attribute(op: Op, rewriter: Rewriter) -> bool:
    """`mhlo.backend_config` becomes `backend_config`, and the call one of the typed interface, which takes a
    dictionary there: for calls of the original interface (1) whose `backend_config` is empty."""
    config, present = op.attributes.get("mhlo.backend_config"), op.attributes.get("backend_config")
    version = op.attributes.get("api_version")
    if not isinstance(config, ir.DictAttr) or (version is not None and int_of(version) != 1):
        return False
    if present is not None and not (isinstance(present, ir.StringAttr) and present.value == ""):
        return False
    op.attributes["backend_config"] = config
    op.attributes["api_version"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4)
    del op.attributes["mhlo.backend_config"]
    rewriter.push(op)
    return True


def _empty_constant(value: Value, op: Op, rewriter: Rewriter) -> Value:
    type_ = ir.RankedTensorType(value.type)
    return rewriter.constant(np.empty(shape_of(type_), dtype_of(type_.element_type)), type_, before=op)


@pattern(PATTERNS, among=lambda tensor: tensor.count == 0)
def tensors_without_elements(op: Op, rewriter: Rewriter) -> bool:
    """A tensor without elements has one value: results and operands of that kind become constants. Values that a
    function returns stay: they may be arguments."""
    if op.kind.is_constant:
        return False
    results = [result for result in op.results if result.tensor.count == 0 and result.uses]
    operands = [
        (index, value)
        for index, value in enumerate(op.operands)
        if value.tensor.count == 0 and constant_op(value) is None
    ]
    candidates = [*results, *(value for _, value in operands)]
    if not candidates or not all(value.tensor.has_array for value in candidates):
        return False
    for result in results:
        rewriter.use_instead(result, _empty_constant(result, op, rewriter))
        rewriter.push(op)
    for index, value in operands:
        rewriter.set_operand(op, index, _empty_constant(value, op, rewriter))
    return True
