"""Evaluates the library's calculations for ops that are not wrapped, without writing them into the program.

Gives what reifying and simplifying gives; what was calculated is remembered by calculation and arguments, so that a
program pays once for what many of its ops have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...bindings import ir
from ...bindings.diagnostics import file_location
from ..errors import CalculationError
from ..evaluation.evaluator import Assertion, Evaluator, Surroundings
from ..evaluation.op_arguments import Argument, ElementTypes, Marshal
from ..evaluation.symbols import Symbol
from ..library import Calculation, Library
from ..signatures import DTYPE, SHAPE, Parameter
from ..types import Type, parse_annotation
from .reification import find_calculation, target_of
from .value_facts import Facts
from .wrapping import check_result_count

Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Outcome:
    """What a calculation came to: a value for each result, unproven assertions, and what they teach."""

    values: tuple[Any, ...]
    assertions: tuple[Assertion, ...]
    learned: dict[Symbol, Any]


def abstract_constant(value: Any, type_: Type) -> list[Any]:
    """A Python value of the language as the evaluator's values, one for each MLIR value that it would be."""
    if type_.kind == "optional":
        zero: Any = {"int": 0, "bool": False}.get(type_.parts[0].kind, [])
        return [value is not None, *abstract_constant(zero if value is None else value, type_.parts[0])]
    if type_.kind == "record":
        pairs = zip(type_.fields, type_.parts, strict=True)
        return [item for name, part in pairs for item in abstract_constant(getattr(value, name), part)]
    if isinstance(value, str):
        return [tuple(map(ord, value))]
    if type_.kind == "lists":
        return [tuple(item for row in value for item in row), tuple(map(len, value))]
    return [tuple(value) if isinstance(value, list) else value]


def result_values(values: Sequence[Any], type_: Type, count: int, kind: str) -> tuple[Any, ...]:
    """One value for each result of an op, out of what its calculation returned."""
    if kind == SHAPE and type_.kind == "lists":
        flat, lengths = values
        if flat is None or lengths is None or not all(isinstance(length, int) for length in lengths):
            return (None,) * count
        starts = [sum(lengths[:i]) for i in range(len(lengths))]
        shapes = [flat[start : start + length] for start, length in zip(starts, lengths, strict=True)]
        return tuple(shapes[:count]) if len(shapes) >= count else (None,) * count
    if kind == DTYPE and type_.kind == "list":
        return tuple(values[0][:count]) if values[0] is not None else (None,) * count
    return tuple(values)


class OpSurroundings(Surroundings, Protocol):
    """What is known about a program's values, and what the results of the op at hand are declared to be."""

    facts: Facts

    def declared(self, result: ir.Value) -> list[int]: ...


@dataclass
class DirectEvaluator:
    """Calculations for ops as they are met, which are remembered for the functions and calls of a whole module."""

    library: Library
    codes: ElementTypes
    surroundings: OpSurroundings = field(init=False)  # those of the op that is being evaluated
    _memo: dict[tuple[Any, ...], Outcome] = field(default_factory=dict)
    _found: dict[tuple[str, str], Calculation | None] = field(default_factory=dict)
    _plain: dict[str, bool] = field(default_factory=dict)
    _constants: dict[tuple[Any, ...], tuple[Any, ...]] = field(default_factory=dict)
    _ranked: dict[ir.Type, bool] = field(default_factory=dict)

    def evaluate(self, op: ir.Operation, kind: str, surroundings: OpSurroundings) -> Outcome | None:
        """What the op's calculation comes to; None for an op that has none. Raises `CalculationError`, `LimitError`,
        and the evaluator's errors."""
        self.surroundings = surroundings
        calculation = self._calculation(op, kind)
        if calculation is None or not self._is_ranked(op):
            return None
        arguments = self._abstract_arguments(op, calculation, kind)
        key = (calculation.symbol, len(op.results), *arguments)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._run(op, calculation, arguments, kind)
        return found

    def _is_ranked(self, op: ir.Operation) -> bool:
        known = self._ranked
        for value in (*op.operands, *op.results):
            type_ = value.type
            if type_ not in known:
                known[type_] = not isinstance(type_, ir.UnrankedTensorType)
            if not known[type_]:
                return False
        return True

    def _calculation(self, op: ir.Operation, kind: str) -> Calculation | None:
        if op.name in ("stablehlo.custom_call", "stablehlo.composite"):
            key = (kind, f"{op.name} {target_of(op)}")
        else:
            key = (kind, op.name)
        if key not in self._found:
            self._found[key] = find_calculation(self.library, kind, op)
        return self._found[key]

    def _run(self, op: ir.Operation, calculation: Calculation, arguments: Arguments, kind: str) -> Outcome:
        try:
            check_result_count(op, calculation, self.library)
        except CalculationError as error:
            raise CalculationError(error.message, location=file_location(op.location), op=op.name) from error
        evaluator = Evaluator(self.surroundings)
        values = evaluator.run(self.library.procedure(calculation), arguments)
        type_ = self.library.compiler.signature_of(calculation.function)[1]
        settled = tuple([evaluator.settled(value) for value in result_values(values, type_, len(op.results), kind)])
        return Outcome(settled, tuple(evaluator.assertions), evaluator.known)

    def _abstract_arguments(self, op: ir.Operation, calculation: Calculation, kind: str) -> Arguments:
        """One value of the evaluator for each MLIR value that the calculation takes. What stems from attributes and
        declared types is worked out once for each attribute and type."""
        if calculation.symbol not in self._plain:
            sources = {parameter.source for parameter in calculation.parameters}
            self._plain[calculation.symbol] = sources <= {"operand", "attribute", "result"} and all(
                parameter.annotation in ("Shape", "DType")
                for parameter in calculation.parameters
                if parameter.source != "attribute"
            )
        if not self._plain[calculation.symbol]:
            arguments = self._marshalled(op, calculation, kind)
            return tuple([value for argument in arguments for value in self._abstract(op, argument)])
        operands = list(op.operands)
        result: list[Any] = []
        for parameter in calculation.parameters:
            if parameter.source == "attribute":
                result.extend(self._constant(op, parameter, kind))
            elif parameter.source == "result":
                result.append(self._declared(op.results[parameter.index], kind))
            elif parameter.index >= len(operands):
                self._marshalled(op, calculation, kind)  # says what is missing
            elif kind == DTYPE:
                result.append(self.codes.code(operands[parameter.index].type))
            else:
                result.append(self.surroundings.facts.extents(operands[parameter.index]) or ())
        return tuple(result)

    def _declared(self, result: ir.Value, kind: str) -> Any:
        return self.codes.code(result.type) if kind == DTYPE else tuple(self.surroundings.declared(result))

    def _constant(self, op: ir.Operation, parameter: Parameter, kind: str) -> tuple[Any, ...]:
        """The values that stand for an attribute."""
        if parameter.annotation.startswith("Attribute"):
            return ()
        attribute = op.attributes.get(parameter.name)
        key = (parameter.annotation, attribute, kind)
        known = self._constants.get(key)
        if known is None:
            marshal = Marshal(self.codes if kind == DTYPE else None)
            try:
                known = tuple(self._abstract(op, marshal.attribute(op, parameter)))
            except CalculationError as error:
                raise CalculationError(error.message, location=file_location(op.location), op=op.name) from error
            if attribute is not None:  # where it is absent, it may be in a dictionary
                self._constants[key] = known
        return known

    def _marshalled(self, op: ir.Operation, calculation: Calculation, kind: str) -> list[Argument]:
        try:
            return Marshal(self.codes if kind == DTYPE else None).arguments(op, calculation.parameters)
        except CalculationError as error:
            raise CalculationError(error.message, location=file_location(op.location), op=op.name) from error

    def _abstract(self, op: ir.Operation, argument: Argument) -> list[Any]:
        if argument.kind == "shape":
            extents = self.surroundings.facts.extents(argument.operands[0])
            return [() if extents is None else extents]
        if argument.kind == "shapes":
            shapes = [self.surroundings.facts.extents(operand) or () for operand in argument.operands]
            return [tuple([extent for shape in shapes for extent in shape]), tuple(map(len, shapes))]
        if argument.kind == "elements":
            return self._elements(argument)
        type_ = parse_annotation(argument.annotation)
        if type_ is None:
            raise CalculationError(f"{argument.annotation} is no type of the calculation language", op=op.name)
        return abstract_constant(argument.value, type_)

    def _elements(self, argument: Argument) -> list[Any]:
        elements = self.surroundings.facts.elements(argument.operands[0])
        if argument.annotation == "Value":
            return [self.surroundings.facts.fresh_element(argument.operands[0], 0) if not elements else elements[0]]
        if argument.annotation == "PairValues":
            rows = ir.RankedTensorType(argument.operands[0].type).shape[0]
            return [elements, (2,) * rows if rows >= 0 else None]
        return [elements]
