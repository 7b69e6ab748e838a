"""Evaluates the library's functions for ops that are not wrapped, without writing them into the program.

Gives the same as reification and simplification. Results are cached by library function and arguments, so that a
program pays once for equal ops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...bindings import ir
from ..evaluation.conditions import compare
from ..evaluation.evaluator import Assertion, Environment, Evaluator
from ..evaluation.op_arguments import ElementTypes, Marshal, results_of, written
from ..evaluation.symbols import Number, Symbol
from ..library import Library, LibraryFunction
from ..types import LibraryType
from .reification import find_function, is_ranked
from .value_facts import ValueFacts, is_unknown
from .wrapping import checked_result_type


@dataclass(frozen=True)
class OpEvaluation:
    """The result of a library function: a value for each result of the op, unproved assertions, and the facts that
    follow from them."""

    values: tuple[Any, ...]
    assertions: tuple[Assertion, ...]
    learned: dict[Symbol, Any]


def disagreement(result: int, dimension: int, declared: int, size: Number) -> str:
    """Return why a dimension size of a result cannot be; an empty text if it can. Either may be unknown."""
    if is_unknown(size):
        return ""
    if declared >= 0 and compare("eq", size, declared) is False:
        return f"dimension {dimension} of result {result} is declared {declared}, it is {size}"
    return f"dimension {dimension} of result {result} would be {size}" if isinstance(size, int) and size < 0 else ""


class AbstractValues:
    """The evaluator's own values: integers, truth values and tuples."""

    def integer(self, value: Any) -> Any:
        return value

    def boolean(self, value: bool) -> Any:
        return value

    def integers(self, values: Sequence[Any]) -> Any:
        return tuple(values)

    def item(self, values: Any, index: int) -> Any:
        return None if values is None else values[index]

    def list_at(self, flat: Any, lengths: Any, index: int) -> Any:
        if flat is None or lengths is None or not all(isinstance(length, int) for length in lengths):
            return None
        start = sum(lengths[:index])
        return flat[start : start + lengths[index]] if index < len(lengths) else None


class OpEnvironment(Environment, Protocol):
    """Facts about a program's values, and the declared dimension sizes of the results of the op at hand."""

    facts: ValueFacts

    def declared(self, result: ir.Value) -> list[int]: ...


@dataclass
class DirectEvaluator(AbstractValues):
    """Library functions for ops as they are met, which are remembered for the functions and calls of a whole module."""

    library: Library
    codes: ElementTypes
    environment: OpEnvironment = field(init=False)  # those of the op that is being evaluated
    _memo: dict[tuple[Any, ...], OpEvaluation] = field(default_factory=dict[tuple[Any, ...], OpEvaluation])

    def __post_init__(self) -> None:
        self._marshal: Marshal[Any] = Marshal(self.codes, self)

    def evaluate(self, op: ir.Operation, kind: str, environment: OpEnvironment) -> OpEvaluation | None:
        """Return the outcome of the op's library function; None for an op that has none.

        Raises `LibraryError`, `LimitError`, and the evaluator's errors."""
        library_function = find_function(self.library, kind, op)
        return None if library_function is None or not is_ranked(op) else self.call(library_function, op, environment)

    def call(self, library_function: LibraryFunction, op: ir.Operation, environment: OpEnvironment) -> OpEvaluation:
        """Return the outcome of a library function for an op; see `evaluate`."""
        self.environment = environment
        arguments = [value for some in self._marshal.arguments(op, library_function).values() for value in some]
        key = (library_function.symbol, len(op.results), *arguments)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._run(op, library_function, arguments)
        return found

    def _run(self, op: ir.Operation, library_function: LibraryFunction, arguments: Sequence[Any]) -> OpEvaluation:
        type_ = checked_result_type(op, library_function)
        evaluator = Evaluator(self.environment)
        values = evaluator.run(self.library.procedure(library_function), arguments)
        found = results_of(values, type_, len(op.results), library_function.registration.kind, self)
        return OpEvaluation(tuple(map(evaluator.settled, found)), tuple(evaluator.assertions), evaluator.known)

    # A library function's access to the program (`op_arguments.Arguments`).

    def written(self, value: Any, type_: LibraryType) -> list[Any]:
        return written(value, type_, self)

    def shape(self, operand: ir.Value) -> Any:
        return self.environment.facts.sizes(operand) or ()

    def shapes(self, operands: Sequence[ir.Value]) -> list[Any]:
        shapes = [self.shape(operand) for operand in operands]
        return [tuple([size for shape in shapes for size in shape]), tuple(map(len, shapes))]

    def elements(self, operand: ir.Value, annotation: str) -> list[Any]:
        facts = self.environment.facts
        elements = facts.elements(operand)
        if annotation == "Value":
            return [facts.fresh_element(operand, 0) if not elements else elements[0]]
        if annotation == "PairValues":
            rows = ir.RankedTensorType(operand.type).shape[0]
            return [elements, (2,) * rows if rows >= 0 else None]
        return [elements]

    def declared(self, result: ir.Value) -> list[int]:
        return self.environment.declared(result)
