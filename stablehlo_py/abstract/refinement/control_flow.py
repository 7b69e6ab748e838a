"""Refinement across functions, calls, while, if, case, and the ops that pass values through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...bindings import ir
from ...bindings.elements import build_constant
from ..evaluation.attributes import read_attribute
from ..evaluation.op_arguments import declared_shape
from . import wrapping
from .refined_types import refined_type
from .shape_arithmetic import evaluate_elements
from .value_facts import Extents, small_integer_count

if TYPE_CHECKING:
    from .refiner import Refiner

State = tuple[Extents | None, tuple[Any, ...] | None]


def _states(refiner: Refiner, values: Sequence[ir.Value]) -> list[State]:
    return [(refiner.facts.extents(value), refiner.facts.known_elements(value)) for value in values]


def _assume(refiner: Refiner, value: ir.Value, state: State) -> None:
    """Takes a block argument to be what `state` says, as far as its type leaves that open."""
    extents, elements = state
    if extents is not None and isinstance(value.type, ir.RankedTensorType):
        declared = declared_shape(value.type)
        if len(declared) == len(extents):
            merged = [new if old < 0 else old for old, new in zip(declared, extents, strict=True)]
            refiner.facts.set_extents(value, merged)
            if refiner.commit:
                refiner.retype(value, refined_type(value.type, merged))
    refiner.facts.set_elements(value, elements if small_integer_count(value.type) is not None else None)
    if elements is None and small_integer_count(value.type) is not None:
        refiner.facts.forget_elements(value)


def _joined(refiner: Refiner, value: ir.Value, first: State, second: State) -> State:
    """What two ways agree on; where they do not, an extent or an element of `value`."""
    extents: Extents | None = None
    if first[0] is not None and second[0] is not None and len(first[0]) == len(second[0]):
        extents = tuple(
            a if a == b else refiner.facts.fresh_extent(value, i)
            for i, (a, b) in enumerate(zip(first[0], second[0], strict=True))
        )
    elements = first[1] if first[1] == second[1] else None
    return extents, elements


def _give(refiner: Refiner, op: ir.Operation, states: Sequence[State]) -> None:
    """Refines an op's results to what is known about them."""
    for index, (result, (extents, elements)) in enumerate(zip(op.results, states, strict=True)):
        if isinstance(result.type, ir.RankedTensorType):
            refiner.refine(result, extents, op, index)
            if elements is not None:
                refiner.facts.set_elements(result, elements)


def _branches(refiner: Refiner, op: ir.Operation) -> None:
    """if and case: a result is what all branches agree on."""
    joined: list[State] | None = None
    for region in op.regions:
        terminator = refiner.scoped(region.blocks[0])
        states = _states(refiner, list(terminator.operands))
        if joined is None:
            joined = states
        else:
            pairs = list(zip(op.results, joined, states, strict=True))
            for result, first, second in pairs:
                _check_agreement(refiner, op, result, first[0], second[0])
            joined = [_joined(refiner, result, a, b) for result, a, b in pairs]
    _give(refiner, op, joined if joined is not None else [])


def _check_agreement(
    refiner: Refiner, op: ir.Operation, result: ir.Value, first: Extents | None, second: Extents | None
) -> None:
    """Branches have to return the same types (if C2, case C4), so extents that are known to differ are an error."""
    for dimension, (a, b) in enumerate(zip(first or (), second or (), strict=False)):
        if isinstance(a, int) and isinstance(b, int) and a != b:
            number = ir.OpResult(result).result_number
            raise refiner.refuted(op, f"branches return {a} and {b} for dimension {dimension} of result {number}")


def _while(refiner: Refiner, op: ir.Operation) -> None:
    """while: trial rounds find out what stays the same from round to round; a last one refines the types with that."""
    condition, body = (region.blocks[0] for region in op.regions)
    carried = _states(refiner, list(op.operands))
    commit, refiner.commit = refiner.commit, False
    try:
        carried = _stable(refiner, op, condition, body, carried)
    finally:
        refiner.commit = commit
    _round(refiner, condition, body, carried)
    _give(refiner, op, carried)
    if refiner.commit:
        for operand, result in zip(op.operands, op.results, strict=True):
            _match_initial_value(op, operand, result)


def _match_initial_value(op: ir.Operation, operand: ir.Value, result: ir.Value) -> None:
    """A loop's operands, arguments and results have the same types, also where more is known about an operand: it gets
    back what it was refined from, or, where others rely on its type, is reshaped to the shape that it has."""
    extents = declared_shape(operand.type)
    if extents == declared_shape(result.type):
        return
    users = {use.owner.operation.name for use in operand.uses}
    if not isinstance(operand.owner, ir.Block) and "func.call" not in users:
        operand.set_type(result.type)
        owner = operand.owner.operation
        if wrapping.is_wrapper(owner):
            wrapping.body_of(owner).results[ir.OpResult(operand).result_number].set_type(result.type)
        return
    if any(extent < 0 for extent in extents):
        return
    with ir.InsertionPoint(op), op.location:
        shape = build_constant(np.array(extents, np.int64))
    opened = ir.Operation.create(
        "stablehlo.dynamic_reshape",
        results=[result.type],
        operands=[operand, shape],
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.operands[ir.OpResult(result).result_number] = opened.results[0]


def _stable(
    refiner: Refiner, op: ir.Operation, condition: ir.Block, body: ir.Block, carried: list[State]
) -> list[State]:
    for _ in range(refiner.max_iterations):
        after = _round(refiner, condition, body, carried)
        pairs = list(zip(op.results, carried, after, strict=True))
        joined = [_joined(refiner, result, before, now) for result, before, now in pairs]
        if joined == carried:
            return carried
        carried = joined
    refiner.limit_hit = True
    return [(refiner.declared_extents(result), None) for result in op.results]


def _round(refiner: Refiner, condition: ir.Block, body: ir.Block, carried: Sequence[State]) -> list[State]:
    for block in (condition, body):
        for argument, state in zip(block.arguments, carried, strict=True):
            _assume(refiner, argument, state)
    refiner.scoped(condition)
    terminator = refiner.scoped(body)
    return _states(refiner, list(terminator.operands))


def _passes_through(refiner: Refiner, op: ir.Operation) -> None:
    for operand, result in zip(op.operands, op.results, strict=True):
        refiner.carry_facts(operand, result, op)


def _custom_call(refiner: Refiner, op: ir.Operation) -> None:
    """The targets that exist for shapes: what refine-arguments puts in, assertions, which hold from here on, and any
    with `indices_of_shape_operands`."""
    target = ir.StringAttr(op.attributes["call_target_name"]).value
    if target == "stablehlo.shape_refinement_operand_wrapper":
        refiner.carry_facts(op.operands[0], op.results[0], op)
        if refiner.commit:
            refiner.stand_ins.append(op)
        return
    if target == "shape_assertion" and len(op.operands):
        elements = refiner.facts.elements(op.operands[0])
        if elements:
            refiner.learn(elements[0])
    if "indices_of_shape_operands" not in op.attributes:
        return
    indices = read_attribute(op.attributes["indices_of_shape_operands"], "list[int]")
    for position, (index, result) in enumerate(zip(indices, op.results, strict=False)):
        if not 0 <= index < len(op.operands):
            continue
        elements = refiner.facts.elements(op.operands[index])
        if elements is not None and isinstance(result.type, ir.RankedTensorType):
            refiner.refine(result, elements, op, position)


def _execute_region(refiner: Refiner, op: ir.Operation) -> None:
    terminator = refiner.block(op.regions[0].blocks[0])
    for inner, outer in zip(terminator.operands, op.results, strict=True):
        refiner.carry(inner, outer)


def _call(refiner: Refiner, op: ir.Operation) -> None:
    refiner.calls.call(op, ir.FlatSymbolRefAttr(op.attributes["callee"]).value, "callee")


def _composite(refiner: Refiner, op: ir.Operation) -> None:
    refiner.calls.call(op, ir.FlatSymbolRefAttr(op.attributes["decomposition"]).value, "decomposition")


def _barrier(refiner: Refiner, op: ir.Operation) -> None:
    _passes_through(refiner, op)
    evaluate_elements(op, refiner.facts)


HANDLERS: dict[str, Callable[[Refiner, ir.Operation], None]] = {
    "stablehlo.if": _branches,
    "stablehlo.case": _branches,
    "stablehlo.while": _while,
    "stablehlo.custom_call": _custom_call,
    "stablehlo.composite": _composite,
    "stablehlo.optimization_barrier": _barrier,
    "scf.execute_region": _execute_region,
    "func.call": _call,
}


@dataclass
class Calls:
    """Functions and what each call of them passes. The first kind of call refines the function itself; calls that pass
    something else get a copy of the function as it was."""

    refiner: Refiner
    _pristine: dict[str, ir.Operation] = field(default_factory=dict)
    _done: dict[tuple[str, tuple[State, ...]], tuple[str, list[State]]] = field(default_factory=dict)
    _tried: dict[tuple[str, tuple[State, ...]], tuple[ir.Operation, list[State]]] = field(default_factory=dict)
    _dynamic: dict[str, bool] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _active: set[str] = field(default_factory=set)

    def refine_root(self, function: ir.Operation) -> None:
        """Refines a function that is called from outside: its arguments are what their types say."""
        block = function.regions[0].blocks[0] if len(function.regions[0].blocks) else None
        if block is None:
            return
        known = self.refiner.facts.known
        self.refiner.facts.known = {}
        self._finish(function, self.refiner.block(block))
        self.refiner.facts.known = known

    def _finish(self, function: ir.Operation, terminator: ir.Operation) -> list[State]:
        """Makes a function's type agree with its block. Returns what is known about the results."""
        if self.refiner.commit:
            inputs = [argument.type for argument in function.regions[0].blocks[0].arguments]
            results = [operand.type for operand in terminator.operands]
            with function.context:
                type_ = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
            if function.attributes["function_type"] != type_:
                function.attributes["function_type"] = type_
        return _states(self.refiner, list(terminator.operands))

    def call(self, op: ir.Operation, name: str, attribute: str) -> None:
        """Refines the results of a call, and the function for what is passed."""
        function = self.refiner.functions.get(name)
        if function is None or not len(function.regions[0].blocks) or name in self._active:
            return
        states = tuple(_states(self.refiner, list(op.operands)))
        if name not in self._dynamic:  # asked once, before refinement makes extents known
            self._dynamic[name] = _has_unknown_extents(function)
        if self._dynamic[name]:
            symbol, results = self._specialized(name, function, states)
            if symbol != name and self.refiner.commit:
                op.attributes[attribute] = ir.FlatSymbolRefAttr.get(symbol, op.context)
        else:
            results = self._tried_out(name, function, states)
        _give(self.refiner, op, results)

    def _tried_out(self, name: str, function: ir.Operation, states: tuple[State, ...]) -> list[State]:
        """What a function returns for what is passed, found out on a copy: the function itself does not change."""
        key = (name, states)
        if key not in self._tried:
            copy = self._pristine.get(name, function).clone(ip=None)
            commit, self.refiner.commit = self.refiner.commit, False
            try:
                self._tried[key] = (copy, self._walked(name, copy, states))
            finally:
                self.refiner.commit = commit
        return self._tried[key][1]

    def _specialized(self, name: str, function: ir.Operation, states: tuple[State, ...]) -> tuple[str, list[State]]:
        key = (name, states)
        found = self._done.get(key)
        if found is not None:
            return found
        if not self.refiner.commit:
            return name, self._tried_out(name, function, states)
        if name not in self._pristine:
            self._pristine[name] = function.clone(ip=None)
        if name in self._taken or is_public(function):  # what a public function takes is not for us to change
            name, function = self._copied(name)
        self._taken.add(name)
        found = self._done[key] = (name, self._walked(name, function, states))
        return found

    def _walked(self, name: str, function: ir.Operation, states: Sequence[State]) -> list[State]:
        block = function.regions[0].blocks[0]
        for argument, state in zip(block.arguments, states, strict=True):
            _assume(self.refiner, argument, state)
        self._active.add(name)
        try:
            return self._finish(function, self.refiner.scoped(block))
        finally:
            self._active.discard(name)

    def _copied(self, name: str) -> tuple[str, ir.Operation]:
        functions = self.refiner.functions
        number = 0
        while f"{name}_{number}" in functions:
            number += 1
        symbol = f"{name}_{number}"
        copy = self._pristine[name].clone(ip=ir.InsertionPoint(functions[name]))
        copy.attributes["sym_name"] = ir.StringAttr.get(symbol, copy.context)
        copy.attributes["sym_visibility"] = ir.StringAttr.get("private", copy.context)
        functions[symbol] = copy
        return symbol, copy


def is_public(function: ir.Operation) -> bool:
    """Whether others than the module's own calls can call a function."""
    visibility = function.attributes.get("sym_visibility", None)
    return visibility is None or ir.StringAttr(visibility).value == "public"


def _has_unknown_extents(op: ir.Operation) -> bool:
    """Whether a type in a function has an unknown extent; calculations in it do not count."""
    for region in op.regions:
        for block in region:
            if any(_is_dynamic(argument.type) for argument in block.arguments):
                return True
            for view in block.operations:
                inner = view.operation
                if wrapping.is_calculation(inner):
                    continue
                if any(_is_dynamic(result.type) for result in inner.results) or _has_unknown_extents(inner):
                    return True
    return False


def _is_dynamic(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and not type_.has_static_shape
