"""CHLO's ops that work on each element."""

from __future__ import annotations

from ..element_types import I1
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import same, same_dtype, unless_quantized


@shape_function("chlo.acos")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_acos(operand: Shape) -> Shape:
    """The operand's shape. CHLO: acos."""
    return operand


@dtype_function("chlo.acos")
def chlo_acos_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: acos."""
    return unless_quantized(operand)


@shape_function("chlo.acosh")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_acosh(operand: Shape) -> Shape:
    """The operand's shape. CHLO: acosh."""
    return operand


@dtype_function("chlo.acosh")
def chlo_acosh_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: acosh."""
    return unless_quantized(operand)


@shape_function("chlo._asin_acos_kernel")
@cases(
    Invocation("2x3xcomplex<f32>", returns="2x3xcomplex<f32>"), Invocation("?xcomplex<f32>", returns="?xcomplex<f32>")
)
def chlo_asin_acos_kernel(operand: Shape) -> Shape:
    """The operand's shape. CHLO: _asin_acos_kernel."""
    return operand


@dtype_function("chlo._asin_acos_kernel")
def chlo_asin_acos_kernel_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: _asin_acos_kernel."""
    return unless_quantized(operand)


@shape_function("chlo.asin")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_asin(operand: Shape) -> Shape:
    """The operand's shape. CHLO: asin."""
    return operand


@dtype_function("chlo.asin")
def chlo_asin_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: asin."""
    return unless_quantized(operand)


@shape_function("chlo.asinh")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_asinh(operand: Shape) -> Shape:
    """The operand's shape. CHLO: asinh."""
    return operand


@dtype_function("chlo.asinh")
def chlo_asinh_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: asinh."""
    return unless_quantized(operand)


@shape_function("chlo.atan")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_atan(operand: Shape) -> Shape:
    """The operand's shape. CHLO: atan."""
    return operand


@dtype_function("chlo.atan")
def chlo_atan_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: atan."""
    return unless_quantized(operand)


@shape_function("chlo.atanh")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_atanh(operand: Shape) -> Shape:
    """The operand's shape. CHLO: atanh."""
    return operand


@dtype_function("chlo.atanh")
def chlo_atanh_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: atanh."""
    return unless_quantized(operand)


@shape_function("chlo.bessel_i1e")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_bessel_i1e(operand: Shape) -> Shape:
    """The operand's shape. CHLO: bessel_i1e."""
    return operand


@dtype_function("chlo.bessel_i1e")
def chlo_bessel_i1e_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: bessel_i1e."""
    return unless_quantized(operand)


@shape_function("chlo.cosh")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_cosh(operand: Shape) -> Shape:
    """The operand's shape. CHLO: cosh."""
    return operand


@dtype_function("chlo.cosh")
def chlo_cosh_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: cosh."""
    return unless_quantized(operand)


@shape_function("chlo.digamma")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_digamma(operand: Shape) -> Shape:
    """The operand's shape. CHLO: digamma."""
    return operand


@dtype_function("chlo.digamma")
def chlo_digamma_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: digamma."""
    return unless_quantized(operand)


@shape_function("chlo.erf")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_erf(operand: Shape) -> Shape:
    """The operand's shape. CHLO: erf."""
    return operand


@dtype_function("chlo.erf")
def chlo_erf_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: erf."""
    return unless_quantized(operand)


@shape_function("chlo.erf_inv")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_erf_inv(operand: Shape) -> Shape:
    """The operand's shape. CHLO: erf_inv."""
    return operand


@dtype_function("chlo.erf_inv")
def chlo_erf_inv_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: erf_inv."""
    return unless_quantized(operand)


@shape_function("chlo.erfc")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_erfc(operand: Shape) -> Shape:
    """The operand's shape. CHLO: erfc."""
    return operand


@dtype_function("chlo.erfc")
def chlo_erfc_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: erfc."""
    return unless_quantized(operand)


@shape_function("chlo.lgamma")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_lgamma(operand: Shape) -> Shape:
    """The operand's shape. CHLO: lgamma."""
    return operand


@dtype_function("chlo.lgamma")
def chlo_lgamma_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: lgamma."""
    return unless_quantized(operand)


@shape_function("chlo.sinh")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_sinh(operand: Shape) -> Shape:
    """The operand's shape. CHLO: sinh."""
    return operand


@dtype_function("chlo.sinh")
def chlo_sinh_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: sinh."""
    return unless_quantized(operand)


@shape_function("chlo.square")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_square(operand: Shape) -> Shape:
    """The operand's shape. CHLO: square."""
    return operand


@dtype_function("chlo.square")
def chlo_square_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: square."""
    return unless_quantized(operand)


@shape_function("chlo.tan")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def chlo_tan(operand: Shape) -> Shape:
    """The operand's shape. CHLO: tan."""
    return operand


@dtype_function("chlo.tan")
def chlo_tan_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: tan."""
    return unless_quantized(operand)


@shape_function("chlo.conj")
@cases(
    Invocation("2x3xcomplex<f32>", returns="2x3xcomplex<f32>"), Invocation("?xcomplex<f32>", returns="?xcomplex<f32>")
)
def chlo_conj(operand: Shape) -> Shape:
    """The operand's shape. CHLO: conj."""
    return operand


@dtype_function("chlo.conj")
def chlo_conj_dtype(operand: DType) -> DType:
    """The operand's element type. CHLO: conj."""
    return unless_quantized(operand)


@shape_function("chlo.is_inf")
@cases(Invocation("2x3xf32", returns="2x3xi1"), Invocation("?xf32", returns="?xi1"))
def chlo_is_inf(operand: Shape) -> Shape:
    """The operand's shape. CHLO: is_inf."""
    return operand


@dtype_function("chlo.is_inf")
def chlo_is_inf_dtype(operand: DType) -> DType:
    """A boolean."""
    return I1


@shape_function("chlo.is_neg_inf")
@cases(Invocation("2x3xf32", returns="2x3xi1"), Invocation("?xf32", returns="?xi1"))
def chlo_is_neg_inf(operand: Shape) -> Shape:
    """The operand's shape. CHLO: is_neg_inf."""
    return operand


@dtype_function("chlo.is_neg_inf")
def chlo_is_neg_inf_dtype(operand: DType) -> DType:
    """A boolean."""
    return I1


@shape_function("chlo.is_pos_inf")
@cases(Invocation("2x3xf32", returns="2x3xi1"), Invocation("?xf32", returns="?xi1"))
def chlo_is_pos_inf(operand: Shape) -> Shape:
    """The operand's shape. CHLO: is_pos_inf."""
    return operand


@dtype_function("chlo.is_pos_inf")
def chlo_is_pos_inf_dtype(operand: DType) -> DType:
    """A boolean."""
    return I1


@shape_function("chlo.next_after")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def chlo_next_after(x: Shape, y: Shape) -> Shape:
    """The shape that both operands have. CHLO: next_after."""
    return same(x, y)


@dtype_function("chlo.next_after")
def chlo_next_after_dtype(x: DType, y: DType) -> DType:
    """The element type that both operands have. CHLO: next_after."""
    return same_dtype(x, y)


@shape_function("chlo.polygamma")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
def chlo_polygamma(n: Shape, x: Shape) -> Shape:
    """The shape that both operands have. CHLO: polygamma."""
    return same(n, x)


@dtype_function("chlo.polygamma")
def chlo_polygamma_dtype(n: DType, x: DType) -> DType:
    """The element type that both operands have. CHLO: polygamma."""
    return same_dtype(n, x)


@shape_function("chlo.zeta")
@cases(
    Invocation("2x3xf32", "2x3xf32", returns="2x3xf32"),
    Invocation("?x3xf32", "2x?xf32", returns="2x3xf32"),
    ErrorInvocation("2x3xf32", "2x4xf32", match="dimension 1 .* 3 and 4"),
)
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
