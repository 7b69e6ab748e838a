"""The constraints on an op's sizes, checked on the sizes that its operands have while a program runs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.build import create_value, tensor_type
from ...bindings.diagnostics import file_location, verified
from ...dialect.messages import constraint_note
from ...errors import InterpreterError, VerificationError
from ..errors import LimitError
from ..evaluation.evaluator import InfeasibleError, Procedure, RefutedAssertionError
from ..evaluation.op_arguments import ElementTypes, declared_shape
from ..library import Library, active_library
from ..signatures import SHAPE
from .demand import reads_elements
from .op_evaluation import DirectEvaluator, disagreement
from .reification import find_function
from .value_facts import ELEMENT_LIMIT, Elements, Facts, Sizes

_MOST_KEPT = 1024
"""How many combinations of sizes that fit are remembered for an op."""


@dataclass
class _ActualSizes:
    """The operands of one run of an op, as `op_evaluation.OpEnvironment` asks for them."""

    library: Library
    facts: Facts = field(default_factory=Facts)

    def sizes(self, value: ir.Value) -> Sizes | None:
        return self.facts.sizes(value)

    def elements(self, value: ir.Value) -> Elements | None:
        return self.facts.elements(value)

    def procedure_of(self, symbol_name: str) -> Procedure | None:
        return self.library.procedure_of(symbol_name)

    def declared(self, result: ir.Value) -> list[int]:
        return declared_shape(result.type)


class SizeCheck:
    """The check of one op: its library function, evaluated for the sizes of each run."""

    def __init__(self, op: ir.Operation) -> None:
        self._op = op
        self._library = active_library()
        function = find_function(self._library, SHAPE, op)
        self._is_needed = function is not None
        self._reads_elements = function is not None and reads_elements(function)
        self._start()

    def _start(self) -> None:
        self._fitting = set[tuple[Any, ...]]()
        self._evaluator = DirectEvaluator(self._library, ElementTypes())

    def __call__(self, operands: Sequence[Any]) -> None:
        """Raise `InterpreterError`, with a note that names the constraint, if sizes contradict each other or the result's
        type."""
        if not self._is_needed:
            return
        tensors = [operand if isinstance(operand, (np.ndarray, np.generic)) else None for operand in operands]
        key = tuple([(tensor.shape, self._elements(tensor)) for tensor in tensors if tensor is not None])
        if key in self._fitting:
            return
        wrong = self._contradiction(tensors)
        if wrong:
            where = file_location(self._op.location)
            raise InterpreterError(wrong, op=self._op.name, location=where, notes=self._notes(tensors))
        if len(self._fitting) == _MOST_KEPT:
            self._start()
        self._fitting.add(key)

    def _elements(self, tensor: np.ndarray | np.generic) -> tuple[int, ...] | None:
        """Return the elements of a tensor that can decide a shape."""
        if not self._reads_elements or tensor.dtype.kind not in "iub" or tensor.size > ELEMENT_LIMIT:
            return None
        return tuple(tensor.ravel().tolist())

    def _contradiction(self, tensors: Sequence[np.ndarray | np.generic | None]) -> str:
        environment = _ActualSizes(self._library)
        for value, tensor in zip(self._op.operands, tensors, strict=True):
            if tensor is not None:
                environment.facts.set_sizes(value, tensor.shape)
                environment.facts.set_elements(value, self._elements(tensor))
        try:
            outcome = self._evaluator.evaluate(self._op, SHAPE, environment)
        except RefutedAssertionError as error:
            return str(error)
        except InfeasibleError as error:
            return f"its library function fails: {error}"
        except LimitError:
            return ""
        for number, sizes in enumerate(() if outcome is None else outcome.values):
            declared = environment.declared(self._op.results[number])
            for dimension, pair in enumerate(zip(declared, sizes or (), strict=False)):
                if wrong := disagreement(number, dimension, *pair):
                    return wrong
        return ""

    def _notes(self, tensors: Sequence[np.ndarray | np.generic | None]) -> list[str]:
        """Ask the verifier about an op of these sizes, for its message tells the constraint."""
        at, made = ir.InsertionPoint(self._op), list[ir.Operation]()
        twin = self._op.clone(ip=at)
        for index, (value, tensor) in enumerate(zip(self._op.operands, tensors, strict=True)):
            if tensor is not None:
                type_ = tensor_type(tensor.shape, ir.RankedTensorType(value.type).element_type)
                twin.operands[index] = create_value(_CAST, [value], type_, at=at, location=self._op.location)
                made.append(twin.operands[index].owner.operation)
        note = ""
        with suppress(ir.MLIRError):
            try:
                verified(self._op.context, twin.verify)
            except VerificationError as error:
                note = constraint_note(self._op.name.removeprefix("stablehlo."), error.diagnostics[0].message)
        for op in (twin, *made):
            op.erase()
        return [note] if note else []


_CAST = "builtin.unrealized_conversion_cast"
