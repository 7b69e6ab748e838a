"""The constraints on an op's sizes, checked on the sizes that its operands have while a program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ...bindings import ir
from ...bindings.build import add_block, tensor_type
from ...bindings.diagnostics import file_location, verified
from ...bindings.narrowing import is_list
from ...bindings.walk import captured_values, replace_operands
from ...dialect.messages import constraint_note
from ...errors import InterpreterError, VerificationError
from ..evaluation.op_arguments import ElementTypes, Marshal, declared_shape
from ..library import LibraryFunction, active_library
from ..signatures import SHAPE
from ..types import OPAQUE, LibraryType
from .op_evaluation import disagreement
from .reification import find_function, is_ranked
from .wrapping import checked_result_type

_MOST_KEPT = 1024
"""The limit of remembered combinations of sizes, for an op."""

Source = Callable[[Sequence[Any]], Any]
"""The way from the operands to an argument of a shape function."""


class PythonArguments:
    """The arguments of an op's library function, for operands that are known. Raises `LibraryError` as `Marshal` does.

    Attributes:
        function: The library function.
        with_elements: The operands whose elements it reads.
    """

    def __init__(self, op: ir.Operation, function: LibraryFunction, codes: ElementTypes | None = None) -> None:
        checked_result_type(op, function)
        self.function, self.with_elements = function, list[int]()
        self._operands = list(op.operands)
        found = Marshal(ElementTypes() if codes is None else codes, self).arguments(op, function)
        self._sources = {name: (sources or self.written(None, OPAQUE))[0] for name, sources in found.items()}

    def __call__(self, operands: Sequence[Any]) -> dict[str, Any]:
        """Return the arguments by parameter; operands are arrays, or anything in place of values other than tensors."""
        return {name: source(operands) for name, source in self._sources.items()}

    # How they are found (`op_arguments.Arguments`). The function may change a list that it is given.

    def written(self, value: Any, type_: LibraryType) -> list[Source]:
        return [lambda _: list(value)] if is_list(value) else [lambda _: value]

    def shape(self, operand: ir.Value) -> Source:
        number = self._number(operand)
        return lambda operands: list(_sizes(operands[number]))

    def shapes(self, operands: Sequence[ir.Value]) -> list[Source]:
        numbers = [self._number(operand) for operand in operands]
        return [lambda operands: [list(_sizes(operands[number])) for number in numbers]]

    def elements(self, operand: ir.Value, annotation: str) -> list[Source]:
        number = self._number(operand)
        self.with_elements.append(number)
        return [lambda operands: operands[number].tolist()]

    def declared(self, result: ir.Value) -> list[int]:
        return declared_shape(result.type)

    def _number(self, operand: ir.Value) -> int:
        return self._operands.index(operand)


class SizeCheck:
    """The check of one op by its shape function, which runs as Python."""

    def __init__(self, op: ir.Operation) -> None:
        values = list(dict.fromkeys([*op.operands, *captured_values(op)]))
        with op.location:  # the op is copied into another one, for the program may change
            self._holder = ir.Operation.create("scf.execute_region", regions=1, ip=False)
        block = add_block(self._holder.regions[0], [value.type for value in values])
        self._op = op.clone(ip=ir.InsertionPoint(block))
        replace_operands(self._op, dict(zip(values, block.arguments, strict=True)))
        self._fitting = set[tuple[Any, ...]]()
        self._results = [declared_shape(result.type) for result in op.results]

    @cached_property
    def _arguments(self) -> PythonArguments | None:
        function = find_function(active_library(), SHAPE, self._op) if is_ranked(self._op) else None
        return None if function is None else PythonArguments(self._op, function)

    def __call__(self, operands: Sequence[Any]) -> None:
        """Raise `InterpreterError`, with a note that names the constraint, if sizes contradict each other or a type."""
        arguments = self._arguments
        if arguments is None:
            return
        key = (*map(_sizes, operands), *[operands[number].tobytes() for number in arguments.with_elements])
        if key in self._fitting:
            return
        wrong = self._contradiction(arguments, operands)
        if wrong:
            location = file_location(self._op.location)
            raise InterpreterError(wrong, op=self._op.name, location=location, notes=self._notes(operands))
        if len(self._fitting) == _MOST_KEPT:
            self._fitting.clear()
        self._fitting.add(key)

    def _contradiction(self, arguments: PythonArguments, operands: Sequence[Any]) -> str:
        try:
            results = arguments.function.run(arguments(operands))
        except AssertionError as error:
            return str(error)
        except (ArithmeticError, LookupError) as error:
            return f"its library function fails: {error}"
        for number, (declared, sizes) in enumerate(zip(self._results, results, strict=False)):
            if len(sizes) != len(declared):
                return f"result {number} is declared with rank {len(declared)}, it has rank {len(sizes)}"
            for dimension, pair in enumerate(zip(declared, sizes, strict=True)):
                if wrong := disagreement(number, dimension, *pair):
                    return wrong
        return ""

    def _notes(self, operands: Sequence[Any]) -> list[str]:
        """Ask the verifier about the op with types of these sizes, for its message tells the constraint."""
        declared = [value.type for value in self._op.operands]
        for value, type_, operand in zip(self._op.operands, declared, operands, strict=True):
            if isinstance(type_, ir.RankedTensorType):
                value.set_type(tensor_type(operand.shape, type_.element_type))
        note = ""
        try:
            verified(self._op.context, self._op.verify)
        except VerificationError as error:
            note = constraint_note(self._op.name.removeprefix("stablehlo."), error.diagnostics[0].message)
        for value, type_ in zip(self._op.operands, declared, strict=True):
            value.set_type(type_)
        return [note] if note else []


def _sizes(operand: Any) -> tuple[int, ...]:
    return getattr(operand, "shape", ())
