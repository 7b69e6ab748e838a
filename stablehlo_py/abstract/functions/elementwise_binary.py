"""Ops that work on each pair of elements of two operands."""

from __future__ import annotations

from ..element_types import I1
from ..language import Attribute, DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import complex_of, same, same_dtype, scalar_or_same


@shape_function("stablehlo.add")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def add(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: add."""
    return same(lhs, rhs)


@dtype_function("stablehlo.add")
def add_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: add."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.atan2")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def atan2(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: atan2."""
    return same(lhs, rhs)


@dtype_function("stablehlo.atan2")
def atan2_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: atan2."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.divide")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def divide(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: divide."""
    return same(lhs, rhs)


@dtype_function("stablehlo.divide")
def divide_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: divide."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.maximum")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def maximum(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: maximum."""
    return same(lhs, rhs)


@dtype_function("stablehlo.maximum")
def maximum_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: maximum."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.minimum")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def minimum(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: minimum."""
    return same(lhs, rhs)


@dtype_function("stablehlo.minimum")
def minimum_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: minimum."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.multiply")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def multiply(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: multiply."""
    return same(lhs, rhs)


@dtype_function("stablehlo.multiply")
def multiply_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: multiply."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.power")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def power(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: power."""
    return same(lhs, rhs)


@dtype_function("stablehlo.power")
def power_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: power."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.remainder")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def remainder(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: remainder."""
    return same(lhs, rhs)


@dtype_function("stablehlo.remainder")
def remainder_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: remainder."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.subtract")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def subtract(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: subtract."""
    return same(lhs, rhs)


@dtype_function("stablehlo.subtract")
def subtract_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: subtract."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.and")
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
)
def and_(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: and."""
    return same(lhs, rhs)


@dtype_function("stablehlo.and")
def and_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: and."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.or")
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
)
def or_(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: or."""
    return same(lhs, rhs)


@dtype_function("stablehlo.or")
def or_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: or."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.xor")
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
)
def xor(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: xor."""
    return same(lhs, rhs)


@dtype_function("stablehlo.xor")
def xor_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: xor."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.shift_left")
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
)
def shift_left(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: shift_left."""
    return same(lhs, rhs)


@dtype_function("stablehlo.shift_left")
def shift_left_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: shift_left."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.shift_right_arithmetic")
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
)
def shift_right_arithmetic(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: shift_right_arithmetic."""
    return same(lhs, rhs)


@dtype_function("stablehlo.shift_right_arithmetic")
def shift_right_arithmetic_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: shift_right_arithmetic."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.shift_right_logical")
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
)
def shift_right_logical(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: shift_right_logical."""
    return same(lhs, rhs)


@dtype_function("stablehlo.shift_right_logical")
def shift_right_logical_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec: shift_right_logical."""
    return same_dtype(lhs, rhs)


@shape_function("stablehlo.complex")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xcomplex<f32>"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xcomplex<f32>"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def complex_(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec: complex."""
    return same(lhs, rhs)


@dtype_function("stablehlo.complex")
def complex_dtype(lhs: DType, rhs: DType) -> DType:
    """The complex type of both parts. Spec: complex."""
    return complex_of(same_dtype(lhs, rhs))


@shape_function("stablehlo.compare")
@cases(
    Invocation("2x3xf32", "2x3xf32", comparison_direction="#stablehlo<comparison_direction LT>", returns="2x3xi1"),
    Invocation("?x3xf32", "2x?xf32", comparison_direction="#stablehlo<comparison_direction LT>", returns="2x3xi1"),
    ErrorInvocation(
        "2x3xf32", "2x4xf32", comparison_direction="#stablehlo<comparison_direction LT>", match="dimension 1 .* 3 and 4"
    ),
)
def compare(lhs: Shape, rhs: Shape, comparison_direction: Attribute, compare_type: Attribute) -> Shape:
    """The shape that both operands have. Spec: compare."""
    return same(lhs, rhs)


@dtype_function("stablehlo.compare")
def compare_dtype(lhs: DType, rhs: DType, comparison_direction: Attribute, compare_type: Attribute) -> DType:
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
def select_dtype(pred: DType, on_true: DType, on_false: DType) -> DType:
    """The element type of both alternatives (C2). Spec: select."""
    return same_dtype(on_true, on_false)
