"""The constraints on an op's sizes, checked on the sizes that its operands have while a program runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.build import add_block, tensor_type
from ...bindings.diagnostics import file_location, verified
from ...bindings.walk import captured_values, replace_operands
from ...dialect.facts import facts
from ...dialect.messages import constraint_note
from ...errors import InterpreterError, VerificationError
from ..errors import LimitError
from ..evaluation.evaluator import InfeasibleError, Procedure, RefutedAssertionError
from ..evaluation.op_arguments import ElementTypes, declared_shape
from ..library import active_library
from ..signatures import SHAPE
from .demand import reads_elements
from .op_evaluation import DirectEvaluator, disagreement
from .reification import find_function
from .value_facts import ELEMENT_LIMIT, Elements, Facts, Sizes

_MOST_KEPT = 1024
"""How many combinations of sizes that fit are remembered for an op."""


class SizeCheck:
    """The check of one op by its shape function, for which it is the environment (`op_evaluation.OpEnvironment`)."""

    def __init__(self, op: ir.Operation) -> None:
        self.facts = Facts()
        self._location = file_location(op.location)
        self._holder, self._op = _own_copy(op)
        self._library = active_library()
        self._function = find_function(self._library, SHAPE, op)
        self._reads_elements = self._function is not None and reads_elements(self._function)
        is_open = all(size < 0 for result in op.results for size in self.declared(result))
        self._takes_equal = is_open and facts(op.name).is_elementwise
        self._start()

    def _start(self) -> None:
        self._evaluator = DirectEvaluator(self._library, ElementTypes())
        self._fitting = set[tuple[Any, ...]]()

    def __call__(self, operands: Sequence[Any]) -> None:
        """Raise `InterpreterError`, with a note that names the constraint, if sizes contradict each other or a type."""
        if self._function is None:
            return
        tensors: list[Any] = [each if isinstance(each, (np.ndarray, np.generic)) else None for each in operands]
        key = tuple([(tensor.shape, self._elements(tensor)) for tensor in tensors if tensor is not None])
        if key in self._fitting or (self._takes_equal and len(set(key)) == 1):
            return
        wrong = self._contradiction(tensors)
        if wrong:
            raise InterpreterError(wrong, op=self._op.name, location=self._location, notes=self._notes(tensors))
        if len(self._fitting) == _MOST_KEPT:
            self._start()
        self._fitting.add(key)

    def _elements(self, tensor: Any) -> tuple[int, ...] | None:
        """Return the elements of a tensor that can decide a shape."""
        if not self._reads_elements or tensor.dtype.kind not in "iub" or tensor.size > ELEMENT_LIMIT:
            return None
        return tuple(tensor.ravel().tolist())

    def _contradiction(self, tensors: Sequence[Any]) -> str:
        for value, tensor in zip(self._op.operands, tensors, strict=True):
            if tensor is not None:
                self.facts.set_sizes(value, tensor.shape)
                self.facts.set_elements(value, self._elements(tensor))
        try:
            outcome = self._evaluator.evaluate(self._op, SHAPE, self)
        except RefutedAssertionError as error:
            return str(error)
        except InfeasibleError as error:
            return f"its library function fails: {error}"
        except LimitError:
            return ""
        for number, sizes in enumerate(() if outcome is None else outcome.values):
            declared = self.declared(self._op.results[number])
            if sizes is not None and len(sizes) != len(declared):
                return f"result {number} is declared with rank {len(declared)}, it has rank {len(sizes)}"
            for dimension in range(len(declared) if sizes is not None else 0):
                if wrong := disagreement(number, dimension, declared[dimension], sizes[dimension]):
                    return wrong
        return ""

    def _notes(self, tensors: Sequence[Any]) -> list[str]:
        """Ask the verifier about the op with types of these sizes, for its message tells the constraint."""
        declared = [value.type for value in self._op.operands]
        for value, tensor in zip(self._op.operands, tensors, strict=True):
            if tensor is not None:
                value.set_type(tensor_type(tensor.shape, ir.RankedTensorType(value.type).element_type))
        note = ""
        try:
            verified(self._op.context, self._op.verify)
        except VerificationError as error:
            note = constraint_note(self._op.name.removeprefix("stablehlo."), error.diagnostics[0].message)
        for value, type_ in zip(self._op.operands, declared, strict=True):
            value.set_type(type_)
        return [note] if note else []

    # The answers to the shape function.

    def sizes(self, value: ir.Value) -> Sizes | None:
        return self.facts.sizes(value)

    def elements(self, value: ir.Value) -> Elements | None:
        return self.facts.elements(value)

    def procedure_of(self, symbol_name: str) -> Procedure | None:
        return self._library.procedure_of(symbol_name)

    def declared(self, result: ir.Value) -> list[int]:
        return declared_shape(result.type)


def _own_copy(op: ir.Operation) -> tuple[ir.Operation, ir.Operation]:
    """Return an op that holds a copy of `op`, on arguments of its block, and the copy: the program may change."""
    values = list(dict.fromkeys([*op.operands, *captured_values(op)]))
    with op.location:
        holder = ir.Operation.create("scf.execute_region", regions=1)
    block = add_block(holder.regions[0], [value.type for value in values])
    copy = op.clone(ip=ir.InsertionPoint(block))
    replace_operands(copy, dict(zip(values, block.arguments, strict=True)))
    return holder, copy
