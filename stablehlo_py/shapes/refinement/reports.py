"""Reports on a program's shapes: symbolic shapes, and why a dimension size is still unknown."""

from __future__ import annotations

from collections.abc import Iterator

from ...bindings import ir
from ...bindings.attributes import symbol_name
from ...bindings.diagnostics import file_location
from ...bindings.walk import body_of, handed_on, has_body, operations_within
from ..evaluation.symbols import Expression, Symbol
from ..signatures import SHAPE
from .application import Refinement
from .reification import target_of
from .value_facts import Number, ValueFacts, argument_text


class RefinementReport:
    """The findings of a refinement."""

    def __init__(self, refinement: Refinement) -> None:
        self._refinement = refinement
        self._names = ir.AsmState(refinement.program.module)
        self._facts = ValueFacts()

    def _functions(self) -> Iterator[ir.Operation]:
        for name, function in self._refinement.program.functions.items():
            if has_body(function):
                self._facts = self._refinement.facts(name)
                yield function

    def _name(self, value: ir.Value) -> str:
        return value.get_name(self._names)

    def _shape(self, value: ir.Value) -> str:
        sizes = self._facts.sizes(value)
        if sizes is None:
            return str(value.type)
        element = ir.RankedTensorType(value.type).element_type
        return f"[{', '.join(map(str, sizes))}] {element}"

    def symbolic_shapes(self) -> Iterator[str]:
        """Yield a line for each value of each function: its name, its op, and its shape in terms of arguments."""
        for function in self._functions():
            yield f"func @{symbol_name(function)}"
            for argument in body_of(function).arguments:
                yield f"  {self._name(argument)} : {self._shape(argument)}"
            for op in operations_within(function):
                for result in op.results:
                    yield f"  {self._name(result)} = {op.name} : {self._shape(result)}"

    def reasons(self) -> Iterator[str]:
        """For every unknown dimension size of a result: the expression that would not simplify, the values that hand
        it on, and what to pin down, or to write a library function for."""
        for function in self._functions():
            for op in operations_within(function):
                for result in op.results:
                    yield from self._reasons_of(op, result)

    def _reasons_of(self, op: ir.Operation, result: ir.Value) -> Iterator[str]:
        sizes = self._facts.sizes(result)
        for dimension, size in enumerate(sizes if sizes is not None else ()):
            if isinstance(size, int):
                continue
            location = file_location(op.location)
            subject = f"{op.name} @{target_of(op)}" if target_of(op) else op.name
            yield f"{location}{': ' if location else ''}{self._name(result)} = {subject} : {result.type}"
            yield f"  dimension {dimension} is {size}"
            chain = self._chain(result, size)
            if len(chain) > 1:
                yield f"  handed on by {' <- '.join(map(self._name, chain))}"
            for symbol in dict.fromkeys(size.symbols()):
                if not symbol.arguments:
                    yield f"  {self._advice(symbol)}"

    def _chain(self, value: ir.Value, size: Expression) -> list[ir.Value]:
        """Return the values from `value` back to where its dimension size first appears: as long as an operand has its
        symbols."""
        wanted = {(symbol.kind, symbol.name) for symbol in size.symbols() if not symbol.arguments}
        return handed_on(value, lambda operand: not wanted.isdisjoint(self._symbols(operand)))

    def _symbols(self, value: ir.Value) -> set[tuple[str, str]]:
        sizes: tuple[Number, ...] = self._facts.sizes(value) or ()
        elements = self._facts.found_elements(value) or ()
        numbers = [number for number in (*sizes, *elements) if isinstance(number, Expression)]
        return {(symbol.kind, symbol.name) for number in numbers for symbol in number.symbols()}

    def _advice(self, symbol: Symbol) -> str:
        origin = self._facts.symbol_names.origin(symbol)
        if origin is None:
            return f"nothing is known about {symbol.name}"
        value, position = origin
        what = "dimension" if symbol.kind == "size" else "element"
        owner = value.owner
        op = owner.owner.operation if isinstance(owner, ir.Block) else owner.operation
        if op.name == "stablehlo.while":
            return f"{symbol.name}: {what} {position} of what {op.name} carries changes from round to round"
        if isinstance(owner, ir.Block):
            argument = f"{argument_text(ir.BlockArgument(value))} of @{symbol_name(op)}"
            if symbol.kind == "element":
                return f"pass a constant for {argument}: {what} {position} of it is a size"
            return f"pin down {what} {position} of {argument}, with --stablehlo-refine-arguments"
        if symbol.kind == "element":
            return f"{symbol.name}: {what} {position} of {op.name} is data, which nobody knows before running"
        target = target_of(op)
        if target and self._refinement.program.library.find(SHAPE, op.name, target) is None:
            return f"{symbol.name}: '{target}' has no shape function; give one with --abstract-interp-library"
        return f"{symbol.name}: the shape function of {op.name} says nothing about {what} {position} of its result"
