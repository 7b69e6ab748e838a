"""CHLO's ops that broadcast their operands."""

from __future__ import annotations

from ..element_types import I1
from ..language import Attribute, DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import broadcast, broadcast_along, complex_of, same_dtype


@shape_function("chlo.broadcast_add")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_add(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_add."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_add")
def chlo_broadcast_add_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_add."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_atan2")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_atan2(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_atan2."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_atan2")
def chlo_broadcast_atan2_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_atan2."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_divide")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_divide(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_divide."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_divide")
def chlo_broadcast_divide_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_divide."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_maximum")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_maximum(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_maximum."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_maximum")
def chlo_broadcast_maximum_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_maximum."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_minimum")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_minimum(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_minimum."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_minimum")
def chlo_broadcast_minimum_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_minimum."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_multiply")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_multiply(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_multiply."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_multiply")
def chlo_broadcast_multiply_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_multiply."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_next_after")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_next_after(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_next_after."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_next_after")
def chlo_broadcast_next_after_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_next_after."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_polygamma")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_polygamma(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_polygamma."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_polygamma")
def chlo_broadcast_polygamma_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_polygamma."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_power")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_power(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_power."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_power")
def chlo_broadcast_power_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_power."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_remainder")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_remainder(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_remainder."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_remainder")
def chlo_broadcast_remainder_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_remainder."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_subtract")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_subtract(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_subtract."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_subtract")
def chlo_broadcast_subtract_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_subtract."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_zeta")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xf32"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_zeta(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_zeta."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_zeta")
def chlo_broadcast_zeta_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_zeta."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_and")
@cases(
    Invocation("2x1xi32", "3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "3xi32", broadcast_dimensions=[1], returns="?x3xi32"),
    ErrorInvocation("2x3xi32", "4xi32", match="3 and 4"),
)
def chlo_broadcast_and(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_and."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_and")
def chlo_broadcast_and_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_and."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_or")
@cases(
    Invocation("2x1xi32", "3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "3xi32", broadcast_dimensions=[1], returns="?x3xi32"),
    ErrorInvocation("2x3xi32", "4xi32", match="3 and 4"),
)
def chlo_broadcast_or(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_or."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_or")
def chlo_broadcast_or_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_or."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_xor")
@cases(
    Invocation("2x1xi32", "3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "3xi32", broadcast_dimensions=[1], returns="?x3xi32"),
    ErrorInvocation("2x3xi32", "4xi32", match="3 and 4"),
)
def chlo_broadcast_xor(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_xor."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_xor")
def chlo_broadcast_xor_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_xor."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_shift_left")
@cases(
    Invocation("2x1xi32", "3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "3xi32", broadcast_dimensions=[1], returns="?x3xi32"),
    ErrorInvocation("2x3xi32", "4xi32", match="3 and 4"),
)
def chlo_broadcast_shift_left(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_shift_left."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_shift_left")
def chlo_broadcast_shift_left_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_shift_left."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_shift_right_arithmetic")
@cases(
    Invocation("2x1xi32", "3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "3xi32", broadcast_dimensions=[1], returns="?x3xi32"),
    ErrorInvocation("2x3xi32", "4xi32", match="3 and 4"),
)
def chlo_broadcast_shift_right_arithmetic(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_shift_right_arithmetic."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_shift_right_arithmetic")
def chlo_broadcast_shift_right_arithmetic_dtype(
    lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None
) -> DType:
    """The element type that both operands have. CHLO: broadcast_shift_right_arithmetic."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_shift_right_logical")
@cases(
    Invocation("2x1xi32", "3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "3xi32", broadcast_dimensions=[1], returns="?x3xi32"),
    ErrorInvocation("2x3xi32", "4xi32", match="3 and 4"),
)
def chlo_broadcast_shift_right_logical(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_shift_right_logical."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_shift_right_logical")
def chlo_broadcast_shift_right_logical_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type that both operands have. CHLO: broadcast_shift_right_logical."""
    return same_dtype(lhs, rhs)


@shape_function("chlo.broadcast_complex")
@cases(
    Invocation("2x1xf32", "3xf32", returns="2x3xcomplex<f32>"),
    Invocation("?x3xf32", "3xf32", broadcast_dimensions=[1], returns="?x3xcomplex<f32>"),
    ErrorInvocation("2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_complex(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_complex."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_complex")
def chlo_broadcast_complex_dtype(lhs: DType, rhs: DType, broadcast_dimensions: list[int] | None) -> DType:
    """The element type of the result. CHLO: broadcast_complex."""
    return complex_of(same_dtype(lhs, rhs))


@shape_function("chlo.broadcast_compare")
@cases(
    Invocation("2x1xf32", "3xf32", comparison_direction="#chlo<comparison_direction LT>", returns="2x3xi1"),
    Invocation(
        "?x3xf32",
        "3xf32",
        comparison_direction="#chlo<comparison_direction LT>",
        broadcast_dimensions=[1],
        returns="?x3xi1",
    ),
    ErrorInvocation("2x3xf32", "4xf32", comparison_direction="#chlo<comparison_direction LT>", match="3 and 4"),
)
def chlo_broadcast_compare(
    lhs: Shape,
    rhs: Shape,
    comparison_direction: Attribute,
    broadcast_dimensions: list[int] | None,
    compare_type: Attribute,
) -> Shape:
    """The shape that both operands are broadcast to. CHLO: broadcast_compare."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@dtype_function("chlo.broadcast_compare")
def chlo_broadcast_compare_dtype(
    lhs: DType,
    rhs: DType,
    comparison_direction: Attribute,
    broadcast_dimensions: list[int] | None,
    compare_type: Attribute,
) -> DType:
    """The element type of the result. CHLO: broadcast_compare."""
    return I1


@shape_function("chlo.broadcast_select")
@cases(
    Invocation("i1", "2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("2x1xi1", "2x3xf32", "3xf32", returns="2x3xf32"),
    ErrorInvocation("i1", "2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_select(pred: Shape, on_true: Shape, on_false: Shape) -> Shape:
    """The shape that all operands are broadcast to. CHLO: broadcast_select."""
    return broadcast(pred, broadcast(on_true, on_false))


@dtype_function("chlo.broadcast_select")
def chlo_broadcast_select_dtype(pred: DType, on_true: DType, on_false: DType) -> DType:
    """The element type of both alternatives. CHLO: broadcast_select."""
    return same_dtype(on_true, on_false)
