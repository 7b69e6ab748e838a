"""Programs that add in another order: elements of reductions and contractions are taken from the last to the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..bindings import ir
from ..bindings.build import create_value
from ..bindings.dimension_numbers import DotDimensionNumbers
from ..bindings.walk import operations


def reverse_summation(module: ir.Module) -> ir.Module:
    """Return the module, its reductions and contractions reversed in place."""
    found = [op for op in operations(module.operation) if op.name in _REVERSALS]
    for op in found:
        _REVERSALS[op.name](op)
    return module


def _reverse(op: ir.Operation, index: int, dimensions: Sequence[int]) -> None:
    """Put a reversal of `dimensions` in front of one operand."""
    operand = op.operands[index]
    if not dimensions or not isinstance(operand.type, ir.RankedTensorType):
        return
    with op.location, ir.InsertionPoint(op):
        attributes = {"dimensions": ir.DenseI64ArrayAttr.get(list(dimensions))}
        op.operands[index] = create_value("stablehlo.reverse", [operand], operand.type, attributes)


def _reduce(op: ir.Operation) -> None:
    dimensions = list(ir.DenseI64ArrayAttr(op.attributes["dimensions"]))
    for index in range(len(op.operands) // 2):
        _reverse(op, index, dimensions)


def _dot_general(op: ir.Operation) -> None:
    numbers = DotDimensionNumbers.of(op.attributes["dot_dimension_numbers"])
    _reverse(op, 0, numbers.lhs_contracting_dimensions)
    _reverse(op, 1, numbers.rhs_contracting_dimensions)


_REVERSALS: dict[str, Callable[[ir.Operation], None]] = {
    "stablehlo.reduce": _reduce,
    "stablehlo.dot_general": _dot_general,
}
