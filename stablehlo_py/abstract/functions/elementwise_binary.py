"""Ops that work on each pair of elements of two operands."""

from __future__ import annotations

from ..element_types import I1
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import complex_of, same, same_dtype, scalar_or_same

ON_INTEGERS = (
    *("stablehlo.and", "stablehlo.or", "stablehlo.xor"),
    *("stablehlo.shift_left", "stablehlo.shift_right_arithmetic", "stablehlo.shift_right_logical"),
)
SAME_TYPE = (
    *("stablehlo.add", "stablehlo.atan2", "stablehlo.divide", "stablehlo.maximum", "stablehlo.minimum"),
    *("stablehlo.multiply", "stablehlo.power", "stablehlo.remainder", "stablehlo.subtract"),
    *ON_INTEGERS,
)
LESS = "#stablehlo<comparison_direction LT>"


@shape_function(*SAME_TYPE, "stablehlo.complex", "stablehlo.compare")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
    ops=ON_INTEGERS,
)
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xcomplex<f32>"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xcomplex<f32>"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
    ops=["stablehlo.complex"],
)
@cases(
    Invocation("2x3xf32", "2x3xf32", comparison_direction=LESS, returns="2x3xi1"),
    Invocation("?x3xf32", "2x?xf32", comparison_direction=LESS, returns="2x3xi1"),
    ErrorInvocation("2x3xf32", "2x4xf32", comparison_direction=LESS, match="dimension 1 .* 3 and 4"),
    ops=["stablehlo.compare"],
)
def elementwise(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: the section of each op."""
    return same(lhs, rhs)


@dtype_function(*SAME_TYPE)
def elementwise_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: the section of each op."""
    return same_dtype(lhs, rhs)


@dtype_function("stablehlo.complex")
def complex_dtype(lhs: DType, rhs: DType) -> DType:
    """The complex type of both parts. Spec: complex."""
    return complex_of(same_dtype(lhs, rhs))


@dtype_function("stablehlo.compare")
def compare_dtype() -> DType:
    """A boolean. Spec: compare."""
    return I1


@shape_function("stablehlo.clamp")
@cases(
    Invocation("f32", "2x?xf32", "f32", returns="2x?xf32"),
    Invocation("2x3xf32", "2x3xf32", "f32", returns="2x3xf32"),
    ErrorInvocation("3xf32", "4xf32", "f32", match="dimension 0 .* 4 and 3"),
)
def clamp(min: Shape, operand: Shape, max: Shape) -> Shape:  # noqa: A002 (the names are the op's)
    """The operand's shape, which the bounds have as well unless they are scalars (C1, C2, C4). Spec: clamp."""
    return scalar_or_same(max, scalar_or_same(min, operand))


@dtype_function("stablehlo.clamp")
def clamp_dtype(min: DType, operand: DType, max: DType) -> DType:  # noqa: A002
    """The element type of all operands (C3). Spec: clamp."""
    same_dtype(min, operand)
    return same_dtype(operand, max)


@shape_function("stablehlo.select")
@cases(
    Invocation("2x3xi1", "2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("i1", "2x?xf32", "?x3xf32", returns="2x3xf32"),
    ErrorInvocation("2xi1", "3xf32", "3xf32", match="dimension 0 .* 3 and 2"),
)
def select(pred: Shape, on_true: Shape, on_false: Shape) -> Shape:
    """The shape of both alternatives, which the predicate has unless it is a scalar (C1, C2). Spec: select."""
    return scalar_or_same(pred, same(on_true, on_false))


@dtype_function("stablehlo.select")
def select_dtype(on_true: DType, on_false: DType) -> DType:
    """The element type of both alternatives (C2). Spec: select."""
    return same_dtype(on_true, on_false)
