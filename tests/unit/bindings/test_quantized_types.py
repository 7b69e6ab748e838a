"""Quantized element types are read from their text without losing a digit."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import Quantization, element_type
from stablehlo_py.errors import StablehloError

CONTEXT = make_context()


def read(text: str) -> Quantization:
    """The parameters of a type as MLIR prints it."""
    quantization = element_type(str(ir.Type.parse(text, CONTEXT))).quantization
    assert quantization is not None
    return quantization


@pytest.mark.parametrize("scale", ["0.0039215686274509803", "0.1", "1.0e-7", "123456789.123", "3.4028234663852886E38"])
def test_scales_keep_their_digits(scale: str) -> None:
    assert read(f"!quant.uniform<i8:f64, {scale}:-30>").scales == (float(scale),)


def test_per_tensor() -> None:
    quantization = read("!quant.uniform<u8<10:200>:f32, 0.5:100>")
    assert (quantization.storage_min, quantization.storage_max) == (10, 200)
    assert (quantization.scales, quantization.zero_points) == ((0.5,), (100,))
    assert quantization.quantization_dimension is None
    assert str(quantization.expressed) == "f32"


def test_default_bounds() -> None:
    signed, unsigned = read("!quant.uniform<i4:bf16, 0.5>"), read("!quant.uniform<u4:f16, 0.5>")
    assert (signed.storage_min, signed.storage_max, str(signed.expressed)) == (-8, 7, "bf16")
    assert (unsigned.storage_min, unsigned.storage_max, str(unsigned.expressed)) == (0, 15, "f16")


def test_per_axis() -> None:
    quantization = read("!quant.uniform<i8<-127:127>:f32:1, {0.1:-30, 0.5, 2.0:7}>")
    assert quantization.quantization_dimension == 1
    assert (quantization.scales, quantization.zero_points) == ((0.1, 0.5, 2.0), (-30, 0, 7))
    assert (quantization.storage_min, quantization.storage_max) == (-127, 127)


def test_what_the_specification_does_not_have() -> None:
    with pytest.raises(StablehloError, match="unsupported quantized element type"):
        read("!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:-30, 0.25}}>")
