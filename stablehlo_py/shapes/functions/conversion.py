"""Ops that change what the elements are."""

from __future__ import annotations

from ..element_types import QUANTIZED, UNKNOWN
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import bit_width


@shape_function("stablehlo.bitcast_convert")
@cases(
    Invocation("2x?xf32", returns="2x?xi32"),
    Invocation("3xf64", returns="3x2xf32"),
    Invocation("3x2xf32", returns="3xf64"),
)
def bitcast_convert(operand: Shape, result: Shape) -> Shape:
    """The operand's shape, one dimension longer where an element falls into parts and one shorter where parts become
    an element (C1). The number of parts depends on the element types, and is declared. Spec: bitcast_convert."""
    if len(result) > len(operand):
        return operand + [result[-1]]
    if len(result) < len(operand):
        return operand[: len(operand) - 1]
    return operand


@dtype_function("stablehlo.bitcast_convert")
def bitcast_convert_dtype(operand: DType, result: DType) -> DType:
    """The declared result; the wider of both types has to be a multiple of the other (C1). Spec: bitcast_convert."""
    if operand != UNKNOWN and result != UNKNOWN:
        wide = max(bit_width(operand), bit_width(result))
        narrow = min(bit_width(operand), bit_width(result))
        assert wide % narrow == 0, f"elements of {wide} bits do not consist of elements of {narrow} bits"
    return result


@shape_function("stablehlo.reduce_precision")
@cases(
    Invocation("2x?xf32", exponent_bits=5, returns="2x?xf32"),
    ErrorInvocation("2xf32", exponent_bits=0, match="exponent_bits .* 0"),
    mantissa_bits=10,
)
def reduce_precision(operand: Shape, exponent_bits: int, mantissa_bits: int) -> Shape:
    """The operand's shape (C1); there is at least one bit of exponent (C2) and none of mantissa is negative (C3).
    Spec: reduce_precision."""
    assert exponent_bits >= 1, f"exponent_bits has to be at least 1, it is {exponent_bits}"
    assert mantissa_bits >= 0, f"mantissa_bits must not be negative, it is {mantissa_bits}"
    return operand


@dtype_function("stablehlo.uniform_quantize")
def uniform_quantize_dtype(operand: DType, result: DType) -> DType:
    """The declared result, which has to express the operand's elements (C2). Spec: uniform_quantize."""
    if result >= QUANTIZED:
        expressed = operand % 64 if operand < QUANTIZED else (operand - QUANTIZED) % 64
        assert (result - QUANTIZED) % 64 == expressed, "the quantized type expresses another element type"
    return result


@dtype_function("stablehlo.uniform_dequantize")
def uniform_dequantize_dtype(operand: DType) -> DType:
    """The type that the operand's elements express (C2). Spec: uniform_dequantize."""
    if operand < QUANTIZED:
        return UNKNOWN
    return (operand - QUANTIZED) % 64
