"""Ops of CHLO that broadcast their operands to one shape, as numpy does."""

from __future__ import annotations

from ..language import Shape
from ..registry import ErrorInvocation, Invocation, cases, shape_function
from .shared import broadcast, broadcast_along

ON_INTEGERS = (
    *("chlo.broadcast_and", "chlo.broadcast_or", "chlo.broadcast_xor", "chlo.broadcast_shift_left"),
    *("chlo.broadcast_shift_right_arithmetic", "chlo.broadcast_shift_right_logical"),
)
SAME_TYPE = (
    *("chlo.broadcast_add", "chlo.broadcast_atan2", "chlo.broadcast_divide", "chlo.broadcast_maximum"),
    *("chlo.broadcast_minimum", "chlo.broadcast_multiply", "chlo.broadcast_next_after", "chlo.broadcast_polygamma"),
    *("chlo.broadcast_power", "chlo.broadcast_remainder", "chlo.broadcast_subtract", "chlo.broadcast_zeta"),
    *ON_INTEGERS,
)


def on_pairs(element: str, result: str) -> tuple[Invocation, ...]:
    """The cases of an op on two operands that broadcast."""
    return (
        Invocation(f"2x1x{element}", f"3x{element}", returns=f"2x3x{result}"),
        Invocation(f"?x3x{element}", f"3x{element}", broadcast_dimensions=[1], returns=f"?x3x{result}"),
        ErrorInvocation(f"2x3x{element}", f"4x{element}", match="3 and 4"),
    )


@shape_function(*SAME_TYPE, "chlo.broadcast_complex", "chlo.broadcast_compare")
@cases(*on_pairs("f32", "f32"))
@cases(*on_pairs("i32", "i32"), ops=ON_INTEGERS)
@cases(*on_pairs("f32", "complex<f32>"), ops=["chlo.broadcast_complex"])
@cases(*on_pairs("f32", "i1"), ops=["chlo.broadcast_compare"], comparison_direction="#chlo<comparison_direction LT>")
def chlo_broadcasting(lhs: Shape, rhs: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The shape that both operands are broadcast to. CHLO: the section of each op."""
    return broadcast_along(lhs, rhs, broadcast_dimensions)


@shape_function("chlo.broadcast_select")
@cases(
    Invocation("i1", "2x1xf32", "3xf32", returns="2x3xf32"),
    Invocation("2x1xi1", "2x3xf32", "3xf32", returns="2x3xf32"),
    ErrorInvocation("i1", "2x3xf32", "4xf32", match="3 and 4"),
)
def chlo_broadcast_select(pred: Shape, on_true: Shape, on_false: Shape) -> Shape:
    """The shape that all operands are broadcast to. CHLO: broadcast_select."""
    return broadcast(pred, broadcast(on_true, on_false))
