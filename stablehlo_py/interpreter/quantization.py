"""Quantized ops: dequantize the operands, compute with floats, quantize the results.

A quantized tensor's value is the array of its storage integers. Ops that only move elements work on it as on any
integers; this module is for those that compute. Spec: Quantization computations.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..bindings.types import Quantization, TensorType, ValueType, element_type
from .op import Kernel, Op
from .plan import as_results

Conversion = Callable[[np.ndarray], np.ndarray]


def is_quantized(type_: ValueType) -> bool:
    """Whether this is a tensor of quantized elements."""
    return isinstance(type_, TensorType) and type_.element_type.quantization is not None


def expressed_type(type_: ValueType) -> ValueType:
    """Return the type of the floats that a quantized tensor stands for; any other type is itself."""
    if isinstance(type_, TensorType) and type_.element_type.quantization is not None:
        return replace(type_, element_type=type_.element_type.quantization.expressed)
    return type_


def dequantizer(op: Op, type_: ValueType) -> Conversion | None:
    """Return the map from storage integers to floats, (storage - zero_point) * scale; None without storage."""
    if not isinstance(type_, TensorType) or type_.element_type.quantization is None:
        return None
    quantization = type_.element_type.quantization
    scales, zero_points = _parameters(op, quantization, type_.rank)
    to_expressed = op.converter(element_type("i64"), quantization.expressed)
    multiply = op.arithmetic_of(quantization.expressed).multiply

    def dequantize(storage: np.ndarray) -> np.ndarray:
        return multiply(to_expressed(np.asarray(storage).astype(np.int64) - zero_points), scales)

    return dequantize


def quantizer(op: Op, type_: ValueType) -> Conversion | None:
    """Return a function that turns floats into storage integers: value / scale + zero_point, clamped and rounded to the
    nearest, ties to even, each step rounded to the expressed type. None for a type without storage."""
    if not isinstance(type_, TensorType) or type_.element_type.quantization is None:
        return None
    quantization = type_.element_type.quantization
    scales, zero_points = _parameters(op, quantization, type_.rank)
    floats = op.arithmetic_of(quantization.expressed)
    to_expressed = op.converter(element_type("i64"), quantization.expressed)
    storage = f"{'i' if '<i' in type_.element_type.name else 'ui'}{type_.element_type.bits}"
    to_storage = op.converter(quantization.expressed, element_type(storage))
    offset, lowest, highest = map(
        to_expressed, (zero_points, np.int64(quantization.storage_min), np.int64(quantization.storage_max))
    )

    def quantize(values: np.ndarray) -> np.ndarray:
        shifted = floats.add(floats.divide(values, scales), offset)
        return to_storage(floats.round_nearest_even(floats.minimum(floats.maximum(shifted, lowest), highest)))

    return quantize


def _parameters(op: Op, quantization: Quantization, rank: int) -> tuple[Any, Any]:
    """Scales, of the expressed type, and zero points in shapes that broadcast against a tensor of this rank."""
    to_expressed = op.converter(element_type("f64"), quantization.expressed)
    scales = to_expressed(np.array(quantization.scales))
    zero_points = np.array(quantization.zero_points, np.int64)
    if quantization.quantization_dimension is None:
        return scales[0], zero_points[0]
    shape = (-1,) + (1,) * (rank - quantization.quantization_dimension - 1)
    return scales.reshape(shape), zero_points.reshape(shape)


def on_expressed(op: Op, make_kernel: Callable[[Op], Kernel]) -> Kernel:
    """Return the kernel of an op with quantized operands or results, made by the definition for floats.

    Spec: dequantize_op_quantize and its siblings, hybrid_dequantize_then_op where only some operands are quantized.
    """
    floats = copy.copy(op)
    floats.operand_types = tuple(map(expressed_type, op.operand_types))
    floats.result_types = tuple(map(expressed_type, op.result_types))
    compute = make_kernel(floats)
    dequantizers = tuple([dequantizer(op, type_) for type_ in op.operand_types])
    quantizers = tuple([quantizer(op, type_) for type_ in op.result_types])

    def kernel(*operands: Any) -> Any:
        results = as_results(compute(*_converted(dequantizers, operands)), len(quantizers))
        converted = _converted(quantizers, results)
        return converted[0] if len(converted) == 1 else converted

    return kernel


def _converted(conversions: Sequence[Conversion | None], values: Sequence[Any]) -> tuple[Any, ...]:
    pairs = zip(conversions, values, strict=True)
    return tuple([value if convert is None else convert(value) for convert, value in pairs])
