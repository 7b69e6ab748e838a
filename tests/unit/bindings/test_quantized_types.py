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


@pytest.mark.parametrize(
    "text",
    [
        *("", "any<i8>", "uniform<>", "uniform<i8:f32, >", "uniform<i8:f32, a:b>", "uniform<i8:f32, 0.5:1.5>"),
        *(
            "uniform<i8:f32:0, {}>",
            "uniform<i8:f32:0, {0.5:1,}>",
            "uniform<i8:f32:0, {0.5, x}>",
            "uniform<i8:f32, 0.5:1",
        ),
        *("uniform<i99:f32, 0.5:1>", "uniform<i8:f99, 0.5:1>", "uniform<x:f32, 0.5>", "uniform<i8:f32:{0:2}, {0.5}>"),
    ],
)
def test_a_text_that_is_no_quantized_type_is_refused_by_an_error_of_the_package(text: str) -> None:
    for _ in range(2):
        with pytest.raises(StablehloError, match="unsupported"):
            element_type(f"!quant.{text}")


@pytest.mark.parametrize("bits", [2, 4, 8, 16, 32])
def test_bounds_are_those_of_the_storage_where_none_are_written(bits: int) -> None:
    signed, unsigned = read(f"!quant.uniform<i{bits}:f32, 0.5>"), read(f"!quant.uniform<u{bits}:f32, 0.5>")
    assert (signed.storage_min, signed.storage_max) == (-(1 << bits - 1), (1 << bits - 1) - 1)
    assert (unsigned.storage_min, unsigned.storage_max) == (0, (1 << bits) - 1)
    assert (signed.zero_points, signed.quantization_dimension) == ((0,), None)
    for axis in (0, 3):
        several = read(f"!quant.uniform<i{bits}<-1:1>:f32:{axis}, {{0.5, 0.25:1, 2.0:-1}}>")
        assert (several.scales, several.zero_points) == ((0.5, 0.25, 2.0), (0, 1, -1))
        assert (several.storage_min, several.storage_max, several.quantization_dimension) == (-1, 1, axis)
