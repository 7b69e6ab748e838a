"""Ops that work on each element of one operand, or on each pair of elements of two, and others of their shape. Those of
CHLO may broadcast two operands to one shape, as numpy does."""

from __future__ import annotations

from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import broadcast, broadcast_along, component_of, same, same_dtype, scalar_or_same

UNARY_ON_INTEGERS = ("stablehlo.count_leading_zeros", "stablehlo.not", "stablehlo.popcnt")
UNARY_ON_COMPLEX = ("chlo._asin_acos_kernel", "chlo.conj")
UNARY = (
    *("stablehlo.cbrt", "stablehlo.ceil", "stablehlo.cosine", "stablehlo.exponential"),
    *("stablehlo.exponential_minus_one", "stablehlo.floor", "stablehlo.log", "stablehlo.log_plus_one"),
    *("stablehlo.logistic", "stablehlo.negate", "stablehlo.round_nearest_afz", "stablehlo.round_nearest_even"),
    *("stablehlo.rsqrt", "stablehlo.sign", "stablehlo.sine", "stablehlo.sqrt", "stablehlo.tan", "stablehlo.tanh"),
    *("chlo.acos", "chlo.acosh", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh", "chlo.bessel_i1e"),
    *("chlo.cosh", "chlo.digamma", "chlo.erf", "chlo.erf_inv", "chlo.erfc", "chlo.lgamma", "chlo.sinh"),
    *("chlo.square", "chlo.tan"),
    *UNARY_ON_INTEGERS,
    *UNARY_ON_COMPLEX,
)
PREDICATES = ("chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf")
ABSOLUTE, PARTS = ("stablehlo.abs",), ("stablehlo.real", "stablehlo.imag")
BINARY_ON_INTEGERS = (
    *("stablehlo.and", "stablehlo.or", "stablehlo.xor", "stablehlo.shift_left"),
    *("stablehlo.shift_right_arithmetic", "stablehlo.shift_right_logical", "chlo.mulhi"),
)
OTHER_BINARY = ("chlo.next_after", "chlo.polygamma", "chlo.zeta")  # whose operands have other names
BINARY = (
    *("stablehlo.add", "stablehlo.atan2", "stablehlo.divide", "stablehlo.maximum", "stablehlo.minimum"),
    *("stablehlo.multiply", "stablehlo.power", "stablehlo.remainder", "stablehlo.subtract"),
    *BINARY_ON_INTEGERS,
)
BROADCAST_ON_INTEGERS = (
    *("chlo.broadcast_and", "chlo.broadcast_or", "chlo.broadcast_xor", "chlo.broadcast_shift_left"),
    *("chlo.broadcast_shift_right_arithmetic", "chlo.broadcast_shift_right_logical"),
)
BROADCAST = (
    *("chlo.broadcast_add", "chlo.broadcast_atan2", "chlo.broadcast_divide", "chlo.broadcast_maximum"),
    *("chlo.broadcast_minimum", "chlo.broadcast_multiply", "chlo.broadcast_next_after", "chlo.broadcast_polygamma"),
    *("chlo.broadcast_power", "chlo.broadcast_remainder", "chlo.broadcast_subtract", "chlo.broadcast_zeta"),
    *BROADCAST_ON_INTEGERS,
)
LESS = "#stablehlo<comparison_direction LT>"
QUANTIZED_BYTE = "!quant.uniform<i8:f32, 1.000000e-01:30>"


def on_each(element: str, result: str) -> tuple[Invocation, ...]:
    """The cases of an op on each element."""
    return Invocation(f"2x3x{element}", returns=f"2x3x{result}"), Invocation(f"?x{element}", returns=f"?x{result}")


def on_pairs(element: str, result: str) -> tuple[Invocation, ...]:
    """The cases of an op on each pair of elements."""
    return (
        Invocation(f"2x3x{element}", f"2x3x{element}", returns=f"2x3x{result}"),
        Invocation(f"?x3x{element}", f"2x?x{element}", returns=f"2x3x{result}"),
        ErrorInvocation(f"2x3x{element}", f"2x4x{element}", match="dimension 1 .* 3 and 4"),
    )


def broadcast_pairs(element: str, result: str) -> tuple[Invocation, ...]:
    """The cases of an op on two operands that broadcast."""
    return (
        Invocation(f"2x1x{element}", f"3x{element}", returns=f"2x3x{result}"),
        Invocation(f"?x3x{element}", f"3x{element}", broadcast_dimensions=[1], returns=f"?x3x{result}"),
        ErrorInvocation(f"2x3x{element}", f"4x{element}", match="3 and 4"),
    )


@shape_function(
    *(*UNARY, *PREDICATES, *ABSOLUTE, *PARTS, "stablehlo.is_finite", "chlo.constant_like", "stablehlo.convert"),
    *("stablehlo.cross-replica-sum", "stablehlo.uniform_dequantize", "stablehlo.uniform_quantize"),
)
@cases(*on_each("f32", "f32"))
@cases(*on_each("i32", "i32"), ops=UNARY_ON_INTEGERS)
@cases(*on_each("complex<f32>", "complex<f32>"), ops=UNARY_ON_COMPLEX)
@cases(*on_each("f32", "i1"), ops=[*PREDICATES, "stablehlo.is_finite"])
@cases(*on_each("complex<f32>", "f32"), ops=ABSOLUTE)
@cases(*on_each("complex<f64>", "f64"), ops=PARTS)
@cases(*on_each("f32", "f32"), ops=["chlo.constant_like"], value="1.0 : f32")
@cases(*on_each("f32", "i32"), Invocation("3xi1", returns="3xcomplex<f32>"), ops=["stablehlo.convert"])
@cases(*on_each("f32", "f32"), ops=["stablehlo.cross-replica-sum"], replica_groups=[[0, 1]])
@cases(*on_each(QUANTIZED_BYTE, "f32"), ops=["stablehlo.uniform_dequantize"])
@cases(*on_each("f32", QUANTIZED_BYTE), ops=["stablehlo.uniform_quantize"])
def unary(operand: Shape, /) -> Shape:
    """The operand's shape. Spec, CHLO: the section of each op."""
    return operand


@dtype_function(*ABSOLUTE, *PARTS)
def part_dtype(operand: DType) -> DType:
    """The operand's element type; for a complex type, the type of its parts. Spec: abs, real, imag."""
    return component_of(operand)


@shape_function(*BINARY, *OTHER_BINARY, "stablehlo.complex", "stablehlo.compare")
@cases(*on_pairs("f32", "f32"))
@cases(*on_pairs("i32", "i32"), ops=BINARY_ON_INTEGERS)
@cases(*on_pairs("f32", "complex<f32>"), ops=["stablehlo.complex"])
@cases(*on_pairs("f32", "i1"), ops=["stablehlo.compare"], comparison_direction=LESS)
def binary(lhs: Shape, rhs: Shape, /) -> Shape:
    """The shape that both operands have. Spec, CHLO: the section of each op."""
    return same(lhs, rhs)


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


@shape_function(*BROADCAST, "chlo.broadcast_complex", "chlo.broadcast_compare")
@cases(*broadcast_pairs("f32", "f32"))
@cases(*broadcast_pairs("i32", "i32"), ops=BROADCAST_ON_INTEGERS)
@cases(*broadcast_pairs("f32", "complex<f32>"), ops=["chlo.broadcast_complex"])
@cases(
    *broadcast_pairs("f32", "i1"), ops=["chlo.broadcast_compare"], comparison_direction="#chlo<comparison_direction LT>"
)
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
