"""Ops of CHLO that work on each element, or each pair of elements of two operands."""

from __future__ import annotations

from ..element_types import I1
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import same, same_dtype, unless_quantized

SAME_TYPE = (
    *("chlo.acos", "chlo.acosh", "chlo._asin_acos_kernel", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh"),
    *("chlo.bessel_i1e", "chlo.cosh", "chlo.digamma", "chlo.erf", "chlo.erf_inv", "chlo.erfc", "chlo.lgamma"),
    *("chlo.sinh", "chlo.square", "chlo.tan", "chlo.conj"),
)
PREDICATES = ("chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf")
PAIRS = (
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)


@shape_function(*SAME_TYPE, *PREDICATES)
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
@cases(
    Invocation("2x3xcomplex<f32>", returns="2x3xcomplex<f32>"),
    Invocation("?xcomplex<f32>", returns="?xcomplex<f32>"),
    ops=["chlo._asin_acos_kernel", "chlo.conj"],
)
@cases(Invocation("2x3xf32", returns="2x3xi1"), Invocation("?xf32", returns="?xi1"), ops=PREDICATES)
def chlo_elementwise(operand: Shape) -> Shape:
    """The operand's shape. CHLO: the section of each op."""
    return operand


@dtype_function(*SAME_TYPE)
def chlo_elementwise_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: the section of each op."""
    return unless_quantized(operand)


@dtype_function(*PREDICATES)
def chlo_predicate_dtype() -> DType:
    """A boolean. CHLO: is_inf, is_neg_inf, is_pos_inf."""
    return I1


@shape_function("chlo.next_after")
@cases(*PAIRS)
def chlo_next_after(x: Shape, y: Shape) -> Shape:
    """The shape that both operands have. CHLO: next_after."""
    return same(x, y)


@dtype_function("chlo.next_after")
def chlo_next_after_dtype(x: DType, y: DType) -> DType:
    """The element type that both operands have. CHLO: next_after."""
    return same_dtype(x, y)


@shape_function("chlo.polygamma")
@cases(*PAIRS)
def chlo_polygamma(n: Shape, x: Shape) -> Shape:
    """The shape that both operands have. CHLO: polygamma."""
    return same(n, x)


@dtype_function("chlo.polygamma")
def chlo_polygamma_dtype(n: DType, x: DType) -> DType:
    """The element type that both operands have. CHLO: polygamma."""
    return same_dtype(n, x)


@shape_function("chlo.zeta")
@cases(*PAIRS)
def chlo_zeta(x: Shape, q: Shape) -> Shape:
    """The shape that both operands have. CHLO: zeta."""
    return same(x, q)


@dtype_function("chlo.zeta")
def chlo_zeta_dtype(x: DType, q: DType) -> DType:
    """The element type that both operands have. CHLO: zeta."""
    return same_dtype(x, q)


@shape_function("chlo.mulhi")
@cases(
    Invocation("2x3xi32", "2x3xi32", returns="2x3xi32"),
    Invocation("?x3xi32", "2x?xi32", returns="2x3xi32"),
    ErrorInvocation("2x3xi32", "2x4xi32", match="dimension 1 .* 3 and 4"),
)
def chlo_mulhi(lhs: Shape, rhs: Shape) -> Shape:
    """The shape that both operands have. CHLO: mulhi."""
    return same(lhs, rhs)


@dtype_function("chlo.mulhi")
def chlo_mulhi_dtype(lhs: DType, rhs: DType) -> DType:
    """The element type that both operands have. CHLO: mulhi."""
    return same_dtype(lhs, rhs)
