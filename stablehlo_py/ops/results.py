"""Types of results that the bindings cannot infer: shapes by the library's shape functions, elements by a rule."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from ..bindings import ir
from ..bindings.build import tensor_type
from ..bindings.elements import constant_value
from ..bindings.types import shape_of
from ..errors import ArgumentError
from ..shapes.evaluation.evaluator import InfeasibleError, RefutedAssertionError
from ..shapes.evaluation.op_arguments import ElementTypes, declared_shape
from ..shapes.evaluation.symbols import Expression, symbol
from ..shapes.library import active_library
from ..shapes.refinement.op_evaluation import DirectEvaluator


class ResultTypes:
    """Shape inference for the ops of one program under construction. A dynamic size is an unknown integer."""

    def __init__(self) -> None:
        self.facts: Any = self
        self._evaluator = DirectEvaluator(active_library(), ElementTypes())
        self._numbers = count()

    def infer(self, op: ir.Operation, elements: Sequence[ir.Type]) -> None:
        """Give each result of `op` the shape that its shape function computes, and an element type.

        Args:
            op: An op with tensors of some shape as results, and with its regions.
            elements: The element type of each result.

        Raises:
            ArgumentError: The shape function refuses the op, or there is none, so that results have to be declared.
        """
        self._numbers = count()
        try:
            outcome = self._evaluator.evaluate(op, "shape", self)
        except (RefutedAssertionError, InfeasibleError) as error:
            raise ArgumentError(str(error), op=op.name) from None
        if outcome is None or any(
            sizes is None and isinstance(result.type, ir.RankedTensorType)
            for result, sizes in zip(op.results, outcome.values, strict=True)
        ):
            raise ArgumentError("needs result_type: nothing infers the types of its results", op=op.name)
        for result, sizes, element in zip(op.results, outcome.values, elements, strict=True):
            if isinstance(result.type, ir.RankedTensorType):
                shape = [size if isinstance(size, int) and size >= 0 else None for size in sizes]
                result.set_type(tensor_type(shape, element))

    # Answers to shape functions.

    def sizes(self, value: ir.Value) -> tuple[Any, ...] | None:
        """Return the dimension sizes of a tensor."""
        if not isinstance(value.type, ir.RankedTensorType):
            return None
        return tuple([self._unknown() if size is None else size for size in shape_of(value.type)])

    def elements(self, value: ir.Value) -> tuple[Any, ...] | None:
        """Return the elements of a constant, or unknown ones of a list."""
        owner = value.owner
        if isinstance(owner, ir.Block) or owner.name != "stablehlo.constant":
            sizes = shape_of(ir.RankedTensorType(value.type))
            if len(sizes) != 1 or sizes[0] is None:
                return None
            return tuple([self._unknown() for _ in range(sizes[0])])
        return tuple(constant_value(owner).reshape(-1).tolist())

    def fresh_element(self, value: ir.Value, index: int) -> Expression:
        """Return an unknown element."""
        return self._unknown()

    def declared(self, result: ir.Value) -> list[int]:
        """Return the shape that a result has been given."""
        return declared_shape(result.type)

    def procedure_of(self, symbol_name: str) -> Any:
        """Return the procedure of a shape function that another one calls."""
        return active_library().procedure_of(symbol_name)

    def _unknown(self) -> Expression:
        return symbol("size", f"size{next(self._numbers)}", low=0)
