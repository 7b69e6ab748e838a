"""Turns assertions that could not be proven into checks that run with the program.

A guard is `stablehlo.custom_call @shape_assertion(condition, numbers…)` with an `error_message` whose `{0}`, `{1}`, …
are the numbers: the form that JAX exports and that `stablehlo-check-shape-assertions` removes or reports once shapes
are known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bindings import ir
from ...bindings.build import create, create_value
from ...bindings.diagnostics import warn
from ...bindings.elements import build_constant
from ..evaluation.conditions import Condition
from ..evaluation.evaluator import Assertion
from ..evaluation.symbols import Expression, Symbol
from . import wrapping
from .application import Refinement
from .context import Evaluation
from .symbol_writing import NotExpressibleError, SymbolWriter
from .value_facts import Number, ValueFacts, argument_text

TARGET = "shape_assertion"
_INPUT_LIMIT = 32  # stablehlo-check-shape-assertions takes no more
_BINARY = {"+": "add", "*": "multiply", "//": "divide", "min": "minimum", "max": "maximum"}

Known = dict[tuple[ir.Block, str, ir.Value, int], ir.Value]


@dataclass
class ProgramAlgebra:
    """Integers and truth values as tensors of rank 0, with StableHLO ops in front of `anchor`. Dimension sizes that
    were asked for before in the same block are used again."""

    anchor: ir.Operation
    known: Known

    def _scalar(self, width: int) -> ir.Type:
        return ir.RankedTensorType.get([], ir.IntegerType.get_signless(width, self.anchor.context))

    def _create(self, name: str, type_: ir.Type, operands: list[ir.Value], **attributes: ir.Attribute) -> ir.Value:
        at, location = ir.InsertionPoint(self.anchor), self.anchor.location
        return create_value(f"stablehlo.{name}", operands, type_, attributes, at=at, location=location)

    def _constant(self, value: int, width: int) -> ir.Value:
        with ir.InsertionPoint(self.anchor), self.anchor.location:
            return build_constant(value, self._scalar(width))

    def integer(self, value: int) -> ir.Value:
        return self._constant(value, 64)

    def boolean(self, value: bool) -> ir.Value:
        return self._constant(value, 1)

    def binary(self, operator: str, left: ir.Value, right: ir.Value) -> ir.Value:
        if operator == "floor":  # divide rounds to zero: one less where something negative is left over
            quotient = self.binary("//", left, right)
            product = self.binary("*", quotient, right)
            less = self.compare("lt", left, product)
            return self.select(less, self.binary("+", quotient, self.integer(-1)), quotient)
        return self._create(_BINARY[operator], self._scalar(64), [left, right])

    def compare(self, predicate: str, left: ir.Value, right: ir.Value) -> ir.Value:
        text = f"#stablehlo<comparison_direction {predicate.upper()}>"
        direction = ir.Attribute.parse(text, self.anchor.context)
        return self._create("compare", self._scalar(1), [left, right], comparison_direction=direction)

    def logical(self, operator: str, left: ir.Value, right: ir.Value) -> ir.Value:
        return self._create(operator, self._scalar(1), [left, right])

    def select(self, condition: ir.Value, first: ir.Value, second: ir.Value) -> ir.Value:
        return self._create("select", self._scalar(64), [condition, first, second])

    def size(self, value: ir.Value, dimension: int) -> ir.Value:
        key = (self.anchor.block, "size", value, dimension)
        if key not in self.known:
            i64 = ir.IntegerType.get_signless(64, self.anchor.context)
            attribute = ir.IntegerAttr.get(i64, dimension)
            size = self._create("get_dimension_size", self._scalar(32), [value], dimension=attribute)
            self.known[key] = self._create("convert", self._scalar(64), [size])
        return self.known[key]

    def element(self, value: ir.Value, position: int) -> ir.Value:
        key = (self.anchor.block, "element", value, position)
        if key not in self.known:
            self.known[key] = self._create("convert", self._scalar(64), [self._scalar_of(value, position)])
        return self.known[key]

    def _scalar_of(self, value: ir.Value, position: int) -> ir.Value:
        type_ = ir.RankedTensorType(value.type)
        if isinstance(type_.element_type, ir.IndexType):
            raise NotExpressibleError("an element of index type")
        if type_.rank == 0:
            return value
        starts = [int(start) for start in np.unravel_index(position, type_.shape)]
        one = ir.RankedTensorType.get([1] * type_.rank, type_.element_type)
        numbers = (starts, [start + 1 for start in starts], [1] * type_.rank)
        bounds = [ir.DenseI64ArrayAttr.get(each, self.anchor.context) for each in numbers]
        names = ("start_indices", "limit_indices", "strides")
        piece = self._create("slice", one, [value], **dict(zip(names, bounds, strict=True)))
        return self._create("reshape", ir.RankedTensorType.get([], type_.element_type), [piece])


def _symbols_of(condition: Condition) -> list[Symbol]:
    parts = [symbol for part in condition.parts for symbol in _symbols_of(part)]
    if isinstance(condition.value, Expression):
        parts.extend(condition.value.symbols())
    return list(dict.fromkeys(parts))


def _place_of(symbol: Symbol, facts: ValueFacts) -> str:
    """Return the origin of a symbol, in words: `dimension 1 of argument 0`."""
    origin = facts.symbol_names.origin(symbol)
    if origin is None:
        return symbol.name
    value, position = origin
    what = "dimension" if symbol.kind == "size" else "element"
    owner = value.owner
    if isinstance(owner, ir.Block) and owner.owner.operation.name == "func.func":
        return f"{what} {position} of {argument_text(ir.BlockArgument(value))}"
    return f"{what} {position} of {facts.name(value)}"


def guard_message(op_name: str, assertion: Assertion, facts: ValueFacts) -> tuple[str, list[Number]]:
    """Return the message of a guard and its unknown numbers: the library function's message, then the argument and
    dimension of each number, of as many as a guard takes."""
    inputs: list[Number]
    message, inputs = f"{op_name}: {assertion.message}", []
    for position, value in enumerate(assertion.inputs):
        if not isinstance(value, int) and value not in inputs:
            inputs.append(value)
        text = str(value) if isinstance(value, int) else f"{{#{inputs.index(value)}}}"
        message = message.replace(f"{{{position}}}", text)
    message = message.replace("{#", "{")
    notes: list[str] = []
    condition = assertion.condition
    for symbol in _symbols_of(condition) if isinstance(condition, Condition) else ():
        if symbol.arguments or symbol.kind == "unknown":
            continue
        number = Expression({(symbol,): 1})
        if number not in inputs:
            if len(inputs) >= _INPUT_LIMIT:
                continue
            inputs.append(number)
        notes.append(f"{_place_of(symbol, facts)} is {{{inputs.index(number)}}}")
    return (f"{message} ({', '.join(notes)})" if notes else message), inputs


def insert_guards(refinement: Refinement) -> None:
    """Put a guard in front of every op with unproven assertions. Warn about a guard that cannot be computed."""
    known = Known()
    for context, evaluation in refinement.evaluations():
        for assertion in evaluation.assertions:
            _insert(context.facts, evaluation, assertion, known)


def _insert(facts: ValueFacts, evaluation: Evaluation, assertion: Assertion, known: Known) -> None:
    anchor = evaluation.wrapper
    body = wrapping.inside(anchor)
    writer = SymbolWriter(ProgramAlgebra(anchor, known), facts, anchor)
    message, inputs = guard_message(body.name, assertion, facts)
    try:
        operands = [writer.condition(assertion.condition), *(writer.number(value) for value in inputs[:_INPUT_LIMIT])]
    except NotExpressibleError as error:
        warn(body.location, f"no guard for '{assertion.text}': {error} cannot be computed here")
        return
    context = anchor.context
    create(
        "stablehlo.custom_call",
        operands,
        results=[],
        attributes={
            "call_target_name": ir.StringAttr.get(TARGET, context),
            "error_message": ir.StringAttr.get(message, context),
            "has_side_effect": ir.BoolAttr.get(True, context),
            "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32, context), 2),
        },
        at=ir.InsertionPoint(anchor),
        location=body.location,
    )
