"""Library functions of a user: for a custom call, for a composite, and for an op of another dialect."""

from __future__ import annotations

from stablehlo_py.shapes.language import Attribute, DType, Shape
from stablehlo_py.shapes.registry import dtype_function, shape_function


@shape_function("stablehlo.custom_call", target="my.double")
def double(operand: Shape) -> Shape:
    """Twice as many elements."""
    return [2 * operand[0]]


@shape_function("stablehlo.custom_call", target="my.top_rows")
def top_rows(operand: Shape, rows: int) -> Shape:
    """The first rows, as many as an attribute says."""
    assert rows <= operand[0], f"{rows} rows are asked for, there are {operand[0]}"
    return [rows] + operand[1:]


@dtype_function("stablehlo.custom_call", target="my.top_rows")
def top_rows_dtype(operand: DType, rows: int) -> DType:
    """The operand's element type."""
    return operand


@shape_function("stablehlo.composite", target="my.split")
def split(operand: Shape) -> tuple[Shape, Shape]:
    """Both halves."""
    half = operand[0] // 2
    return [half], [operand[0] - half]


@shape_function("math.sin")
def sin(operand: Shape, fastmath: Attribute) -> Shape:
    """The operand's shape."""
    return operand
