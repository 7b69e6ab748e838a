"""Ops that work on each element of one operand."""

from __future__ import annotations

from ..element_types import I1
from ..language import DType, Shape
from ..registry import Invocation, cases, dtype_function, shape_function
from .shared import component_of, unless_quantized

SAME_TYPE = (
    *("stablehlo.cbrt", "stablehlo.ceil", "stablehlo.cosine", "stablehlo.exponential"),
    *("stablehlo.exponential_minus_one", "stablehlo.floor", "stablehlo.log", "stablehlo.log_plus_one"),
    *("stablehlo.logistic", "stablehlo.negate", "stablehlo.round_nearest_afz", "stablehlo.round_nearest_even"),
    *("stablehlo.rsqrt", "stablehlo.sign", "stablehlo.sine", "stablehlo.sqrt", "stablehlo.tan", "stablehlo.tanh"),
    *("stablehlo.count_leading_zeros", "stablehlo.not", "stablehlo.popcnt"),
)
TYPE_OF_PARTS = ("stablehlo.abs", "stablehlo.real", "stablehlo.imag")


@shape_function(*SAME_TYPE, *TYPE_OF_PARTS)
@cases(Invocation("2x3xf32", returns="2x3xf32"), Invocation("?xf32", returns="?xf32"))
@cases(
    Invocation("2x3xi32", returns="2x3xi32"),
    Invocation("?xi32", returns="?xi32"),
    ops=["stablehlo.count_leading_zeros", "stablehlo.not", "stablehlo.popcnt"],
)
@cases(
    Invocation("2x3xcomplex<f32>", returns="2x3xf32"),
    Invocation("?xcomplex<f32>", returns="?xf32"),
    ops=["stablehlo.abs"],
)
@cases(
    Invocation("2x3xcomplex<f64>", returns="2x3xf64"),
    Invocation("?xcomplex<f64>", returns="?xf64"),
    ops=["stablehlo.real", "stablehlo.imag"],
)
def elementwise(operand: Shape) -> Shape:
    """The operand's shape. Spec: the section of each op."""
    return operand


@dtype_function(*SAME_TYPE)
def elementwise_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: the section of each op."""
    return unless_quantized(operand)


@dtype_function(*TYPE_OF_PARTS)
def part_dtype(operand: DType) -> DType:
    """The operand's element type, of a complex one that of its parts. Spec: abs, real, imag."""
    return component_of(operand)


@shape_function("stablehlo.is_finite")
@cases(Invocation("2x3xf32", returns="2x3xi1"), Invocation("?xf32", returns="?xi1"))
def is_finite(x: Shape) -> Shape:
    """The operand's shape. Spec: is_finite."""
    return x


@dtype_function("stablehlo.is_finite")
def is_finite_dtype() -> DType:
    """A boolean. Spec: is_finite."""
    return I1
