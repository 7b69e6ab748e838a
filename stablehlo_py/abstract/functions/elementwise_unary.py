"""Ops that work on each element of one operand."""

from __future__ import annotations

from ..element_types import I1
from ..language import Attribute, DType, Shape
from ..registry import Invocation, cases, dtype_function, shape_function
from .shared import component_of, unless_quantized


@shape_function("stablehlo.cbrt")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def cbrt(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: cbrt."""
    return operand


@dtype_function("stablehlo.cbrt")
def cbrt_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: cbrt."""
    return unless_quantized(operand)


@shape_function("stablehlo.ceil")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def ceil(operand: Shape) -> Shape:
    """The operand's shape. Spec: ceil."""
    return operand


@dtype_function("stablehlo.ceil")
def ceil_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: ceil."""
    return unless_quantized(operand)


@shape_function("stablehlo.cosine")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def cosine(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: cosine."""
    return operand


@dtype_function("stablehlo.cosine")
def cosine_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: cosine."""
    return unless_quantized(operand)


@shape_function("stablehlo.exponential")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def exponential(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: exponential."""
    return operand


@dtype_function("stablehlo.exponential")
def exponential_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: exponential."""
    return unless_quantized(operand)


@shape_function("stablehlo.exponential_minus_one")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def exponential_minus_one(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: exponential_minus_one."""
    return operand


@dtype_function("stablehlo.exponential_minus_one")
def exponential_minus_one_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: exponential_minus_one."""
    return unless_quantized(operand)


@shape_function("stablehlo.floor")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def floor(operand: Shape) -> Shape:
    """The operand's shape. Spec: floor."""
    return operand


@dtype_function("stablehlo.floor")
def floor_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: floor."""
    return unless_quantized(operand)


@shape_function("stablehlo.log")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def log(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: log."""
    return operand


@dtype_function("stablehlo.log")
def log_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: log."""
    return unless_quantized(operand)


@shape_function("stablehlo.log_plus_one")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def log_plus_one(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: log_plus_one."""
    return operand


@dtype_function("stablehlo.log_plus_one")
def log_plus_one_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: log_plus_one."""
    return unless_quantized(operand)


@shape_function("stablehlo.logistic")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def logistic(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: logistic."""
    return operand


@dtype_function("stablehlo.logistic")
def logistic_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: logistic."""
    return unless_quantized(operand)


@shape_function("stablehlo.negate")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def negate(operand: Shape) -> Shape:
    """The operand's shape. Spec: negate."""
    return operand


@dtype_function("stablehlo.negate")
def negate_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: negate."""
    return unless_quantized(operand)


@shape_function("stablehlo.round_nearest_afz")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def round_nearest_afz(operand: Shape) -> Shape:
    """The operand's shape. Spec: round_nearest_afz."""
    return operand


@dtype_function("stablehlo.round_nearest_afz")
def round_nearest_afz_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: round_nearest_afz."""
    return unless_quantized(operand)


@shape_function("stablehlo.round_nearest_even")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def round_nearest_even(operand: Shape) -> Shape:
    """The operand's shape. Spec: round_nearest_even."""
    return operand


@dtype_function("stablehlo.round_nearest_even")
def round_nearest_even_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: round_nearest_even."""
    return unless_quantized(operand)


@shape_function("stablehlo.rsqrt")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def rsqrt(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: rsqrt."""
    return operand


@dtype_function("stablehlo.rsqrt")
def rsqrt_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: rsqrt."""
    return unless_quantized(operand)


@shape_function("stablehlo.sign")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def sign(operand: Shape) -> Shape:
    """The operand's shape. Spec: sign."""
    return operand


@dtype_function("stablehlo.sign")
def sign_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: sign."""
    return unless_quantized(operand)


@shape_function("stablehlo.sine")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def sine(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: sine."""
    return operand


@dtype_function("stablehlo.sine")
def sine_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: sine."""
    return unless_quantized(operand)


@shape_function("stablehlo.sqrt")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def sqrt(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: sqrt."""
    return operand


@dtype_function("stablehlo.sqrt")
def sqrt_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: sqrt."""
    return unless_quantized(operand)


@shape_function("stablehlo.tan")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def tan(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: tan."""
    return operand


@dtype_function("stablehlo.tan")
def tan_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: tan."""
    return unless_quantized(operand)


@shape_function("stablehlo.tanh")
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
def tanh(operand: Shape, result_accuracy: Attribute) -> Shape:
    """The operand's shape. Spec: tanh."""
    return operand


@dtype_function("stablehlo.tanh")
def tanh_dtype(operand: DType, result_accuracy: Attribute) -> DType:
    """The operand's element type. Spec: tanh."""
    return unless_quantized(operand)


@shape_function("stablehlo.count_leading_zeros")
@cases(Invocation("2x3xi32", returns="2x3xi32"), Invocation("?xi32", returns="?xi32"))
def count_leading_zeros(operand: Shape) -> Shape:
    """The operand's shape. Spec: count_leading_zeros."""
    return operand


@dtype_function("stablehlo.count_leading_zeros")
def count_leading_zeros_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: count_leading_zeros."""
    return unless_quantized(operand)


@shape_function("stablehlo.not")
@cases(Invocation("2x3xi32", returns="2x3xi32"), Invocation("?xi32", returns="?xi32"))
def not_(operand: Shape) -> Shape:
    """The operand's shape. Spec: not."""
    return operand


@dtype_function("stablehlo.not")
def not_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: not."""
    return unless_quantized(operand)


@shape_function("stablehlo.popcnt")
@cases(Invocation("2x3xi32", returns="2x3xi32"), Invocation("?xi32", returns="?xi32"))
def popcnt(operand: Shape) -> Shape:
    """The operand's shape. Spec: popcnt."""
    return operand


@dtype_function("stablehlo.popcnt")
def popcnt_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: popcnt."""
    return unless_quantized(operand)


@shape_function("stablehlo.abs")
@cases(Invocation("2x3xcomplex<f32>", returns="2x3xf32"), Invocation("?xcomplex<f32>", returns="?xf32"))
def abs_(operand: Shape) -> Shape:
    """The operand's shape. Spec: abs."""
    return operand


@dtype_function("stablehlo.abs")
def abs_dtype(operand: DType) -> DType:
    """The operand's element type, of a complex one that of its parts. Spec: abs."""
    return component_of(operand)


@shape_function("stablehlo.real")
@cases(Invocation("2x3xcomplex<f64>", returns="2x3xf64"), Invocation("?xcomplex<f64>", returns="?xf64"))
def real(operand: Shape) -> Shape:
    """The operand's shape. Spec: real."""
    return operand


@dtype_function("stablehlo.real")
def real_dtype(operand: DType) -> DType:
    """The type of the operand's parts. Spec: real."""
    return component_of(operand)


@shape_function("stablehlo.imag")
@cases(Invocation("2x3xcomplex<f64>", returns="2x3xf64"), Invocation("?xcomplex<f64>", returns="?xf64"))
def imag(operand: Shape) -> Shape:
    """The operand's shape. Spec: imag."""
    return operand


@dtype_function("stablehlo.imag")
def imag_dtype(operand: DType) -> DType:
    """The type of the operand's parts. Spec: imag."""
    return component_of(operand)


@shape_function("stablehlo.is_finite")
@cases(Invocation("2x3xf32", returns="2x3xi1"), Invocation("?xf32", returns="?xi1"))
def is_finite(x: Shape) -> Shape:
    """The operand's shape. Spec: is_finite."""
    return x


@dtype_function("stablehlo.is_finite")
def is_finite_dtype(x: DType) -> DType:
    """A boolean. Spec: is_finite."""
    return I1
