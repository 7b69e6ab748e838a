"""uniform_quantize and uniform_dequantize. Other ops on quantized operands: `interpreter.quantization`."""

from __future__ import annotations

from ..op import Kernel, Op
from ..quantization import dequantizer, quantizer
from ..registry import evaluates


@evaluates("stablehlo.uniform_quantize")
def uniform_quantize(op: Op) -> Kernel:
    """The storage of operand, floats or quantized otherwise, by the result's type. Spec: uniform_quantize."""
    dequantize, quantize = dequantizer(op, op.operand_types[0]), quantizer(op, op.result_types[0])
    assert quantize is not None  # as the op's definition says
    return quantize if dequantize is None else lambda operand: quantize(dequantize(operand))


@evaluates("stablehlo.uniform_dequantize")
def uniform_dequantize(op: Op) -> Kernel:
    """The floats that operand stands for. Spec: uniform_dequantize."""
    dequantize = dequantizer(op, op.operand_types[0])
    assert dequantize is not None  # as the op's definition says
    return dequantize
