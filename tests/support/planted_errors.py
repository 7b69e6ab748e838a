"""Two engines that are wrong, for `judge.py`: the interpreter with errors in every op of some kinds.

`functions` is off by 8 to 16 units in the last place. `terms` leaves out the last term of reductions and dot products,
takes the slice after the one that is asked for, and reverses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.build import create_value
from stablehlo_py.bindings.dimension_numbers import DotDimensionNumbers
from stablehlo_py.bindings.elements import from_numpy
from stablehlo_py.bindings.types import TensorType, TypeReader
from stablehlo_py.bindings.walk import operations
from stablehlo_py.engines.reading import read_module
from stablehlo_py.engines.worker import Run
from stablehlo_py.interpreter.element_types.ulp import epsilon
from stablehlo_py.interpreter.program import Program

Change = Callable[[ir.Operation], None]


def _imprecise(op: ir.Operation) -> None:
    """Multiply the result by a number a little larger than 1."""
    (result,) = op.results
    type_ = TypeReader()[result.type]
    if not isinstance(type_, TensorType) or type_.dtype.kind == "c" or type_.element_type.is_quantized:
        return
    users = [(use.owner.operation, use.operand_number) for use in result.uses]
    with op.location, ir.InsertionPoint.after(op):
        factors = np.full([size if size is not None else 1 for size in type_.shape], 1 + 8 * epsilon(type_.dtype))
        constant = create_value("stablehlo.constant", (), result.type,
                                {"value": from_numpy(factors.astype(type_.dtype), result.type)})  # fmt: skip
        wrong = create_value("stablehlo.multiply", [result, constant], result.type)
    for user, number in users:
        user.operands[number] = wrong


def _shorten(op: ir.Operation, number: int, dimension: int) -> None:
    """Cut the last element of a dimension off an operand."""
    operand = op.operands[number]
    type_ = ir.RankedTensorType(operand.type)
    sizes = list(type_.shape)
    sizes[dimension] -= 1
    bounds = {"start_indices": [0] * len(sizes), "limit_indices": sizes, "strides": [1] * len(sizes)}
    with op.location, ir.InsertionPoint(op):
        attributes = {name: ir.DenseI64ArrayAttr.get(value) for name, value in bounds.items()}
        shorter = ir.RankedTensorType.get(sizes, type_.element_type)
        op.operands[number] = create_value("stablehlo.slice", [operand], shorter, attributes)


def _reduce(op: ir.Operation) -> None:
    dimensions = list(ir.DenseI64ArrayAttr(op.attributes["dimensions"]))
    if dimensions and ir.RankedTensorType(op.operands[0].type).shape[dimensions[0]] > 1:
        for number in range(len(op.operands) // 2):
            _shorten(op, number, dimensions[0])


def _dot_general(op: ir.Operation) -> None:
    numbers = DotDimensionNumbers.of(op.attributes["dot_dimension_numbers"])
    both = [numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions]
    if both[0] and ir.RankedTensorType(op.operands[0].type).shape[both[0][0]] > 1:
        for number, dimensions in enumerate(both):
            _shorten(op, number, dimensions[0])


def _next_slice(op: ir.Operation) -> None:
    """Add one to the indices."""
    for number in range(1, len(op.operands)):
        index = op.operands[number]
        type_ = TypeReader()[index.type]
        if isinstance(type_, TensorType):
            with op.location, ir.InsertionPoint(op):
                ones = np.ones([size if size is not None else 1 for size in type_.shape], type_.dtype)
                one = create_value("stablehlo.constant", (), index.type, {"value": from_numpy(ones, index.type)})
                op.operands[number] = create_value("stablehlo.add", [index, one], index.type)


def _as_it_was(op: ir.Operation) -> None:
    """Let the operand stand for the result."""
    for use in list(op.results[0].uses):
        use.owner.operation.operands[use.operand_number] = op.operands[0]


FUNCTIONS: dict[str, Change] = {f"stablehlo.{name}": _imprecise for name in (
    "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "rsqrt", "sine",
    "sqrt", "tan", "tanh")}  # fmt: skip
TERMS: dict[str, Change] = {
    "stablehlo.dot_general": _dot_general,
    "stablehlo.dynamic_slice": _next_slice,
    "stablehlo.gather": _next_slice,
    "stablehlo.reduce": _reduce,
    "stablehlo.reverse": _as_it_was,
}


class Planted:
    """The interpreter with changed ops."""

    def __init__(self, changes: dict[str, Change]) -> None:
        self.changes = changes

    def load(self, module: bytes) -> Run:
        """Plan the module with every op changed that has a change."""
        read = read_module(module)
        for op in operations(read.operation):
            if op.name in self.changes:
                self.changes[op.name](op)
        program = Program(read)

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            return [np.asarray(result) for result in program.run(list(arguments))]

        return run


def functions() -> Planted:
    """The engine with imprecise functions."""
    return Planted(FUNCTIONS)


def terms() -> Planted:
    """The engine that leaves out terms and takes wrong indices."""
    return Planted(TERMS)
