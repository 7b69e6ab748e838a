"""Ops that work on each element of one operand, or on each pair of elements of two."""

from __future__ import annotations

from ..element_types import I1
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import complex_of, component_of, same, same_dtype, scalar_or_same, unless_quantized

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
BINARY = (
    *("stablehlo.add", "stablehlo.atan2", "stablehlo.divide", "stablehlo.maximum", "stablehlo.minimum"),
    *("stablehlo.multiply", "stablehlo.power", "stablehlo.remainder", "stablehlo.subtract"),
    *BINARY_ON_INTEGERS,
)
LESS = "#stablehlo<comparison_direction LT>"


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


@shape_function(*UNARY, *PREDICATES, *ABSOLUTE, *PARTS)
@cases(*on_each("f32", "f32"))
@cases(*on_each("i32", "i32"), ops=UNARY_ON_INTEGERS)
@cases(*on_each("complex<f32>", "complex<f32>"), ops=UNARY_ON_COMPLEX)
@cases(*on_each("f32", "i1"), ops=PREDICATES)
@cases(*on_each("complex<f32>", "f32"), ops=ABSOLUTE)
@cases(*on_each("complex<f64>", "f64"), ops=PARTS)
def unary(operand: Shape) -> Shape:
    """The operand's shape. Spec, CHLO: the section of each op."""
    return operand


@dtype_function(*UNARY)
def unary_dtype(operand: DType) -> DType:
    """The operand's element type. Spec, CHLO: the section of each op."""
    return unless_quantized(operand)


@dtype_function(*ABSOLUTE, *PARTS)
def part_dtype(operand: DType) -> DType:
    """The operand's element type, of a complex one that of its parts. Spec: abs, real, imag."""
    return component_of(operand)


@shape_function("stablehlo.is_finite")
@cases(*on_each("f32", "i1"))
def is_finite(x: Shape) -> Shape:
    """The operand's shape. Spec: is_finite."""
    return x


@shape_function(*BINARY, "stablehlo.complex", "stablehlo.compare")
@cases(*on_pairs("f32", "f32"))
@cases(*on_pairs("i32", "i32"), ops=BINARY_ON_INTEGERS)
@cases(*on_pairs("f32", "complex<f32>"), ops=["stablehlo.complex"])
@cases(*on_pairs("f32", "i1"), ops=["stablehlo.compare"], comparison_direction=LESS)
def binary(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. Spec, CHLO: the section of each op."""
    return same(lhs, rhs)


@dtype_function(*BINARY)
def binary_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. Spec, CHLO: the section of each op."""
    return same_dtype(lhs, rhs)


@dtype_function("stablehlo.complex")
def complex_dtype(lhs: DType, rhs: DType) -> DType:
    """The complex type of both parts. Spec: complex."""
    return complex_of(same_dtype(lhs, rhs))


@dtype_function("stablehlo.compare", "stablehlo.is_finite", *PREDICATES)
def boolean_dtype() -> DType:
    """A boolean. Spec: compare, is_finite. CHLO: is_inf, is_neg_inf, is_pos_inf."""
    return I1


@shape_function("chlo.next_after")
@cases(*on_pairs("f32", "f32"))
def chlo_next_after(x: Shape, y: Shape) -> Shape:
    """The shape that both operands have. CHLO: next_after."""
    return same(x, y)


@dtype_function("chlo.next_after")
def chlo_next_after_dtype(x: DType, y: DType) -> DType:
    """The element type that both operands have. CHLO: next_after."""
    return same_dtype(x, y)


@shape_function("chlo.polygamma")
@cases(*on_pairs("f32", "f32"))
def chlo_polygamma(n: Shape, x: Shape) -> Shape:
    """The shape that both operands have. CHLO: polygamma."""
    return same(n, x)


@dtype_function("chlo.polygamma")
def chlo_polygamma_dtype(n: DType, x: DType) -> DType:
    """The element type that both operands have. CHLO: polygamma."""
    return same_dtype(n, x)


@shape_function("chlo.zeta")
@cases(*on_pairs("f32", "f32"))
def chlo_zeta(x: Shape, q: Shape) -> Shape:
    """The shape that both operands have. CHLO: zeta."""
    return same(x, q)


@dtype_function("chlo.zeta")
def chlo_zeta_dtype(x: DType, q: DType) -> DType:
    """The element type that both operands have. CHLO: zeta."""
    return same_dtype(x, q)


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
