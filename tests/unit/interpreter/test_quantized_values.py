"""Quantized values: what moves them keeps their integers, what computes goes by what they express."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

Q = "!quant.uniform<i8:f32, 0.5:-3>"
BOX = f"tensor<2x3x{Q}>"
STORED = np.array([[-128, -3, 0], [1, 100, 127]], np.int8)
EXPRESSED = (STORED.astype(np.float64) + 3) * 0.5


def stored(expressed: np.ndarray) -> np.ndarray:
    """The integers of the spec: what lies in the middle between two of them goes to the even one."""
    return np.round(np.clip(expressed / 0.5 - 3, -128, 127)).astype(np.int8)


CASES = {
    "reshape": (f"stablehlo.reshape %x : ({BOX}) -> tensor<6x{Q}>", f"tensor<6x{Q}>", STORED.reshape(6)),
    "transpose": (
        f"stablehlo.transpose %x, dims = [1, 0] : ({BOX}) -> tensor<3x2x{Q}>",
        f"tensor<3x2x{Q}>",
        STORED.T,
    ),
    "reverse": (f"stablehlo.reverse %x, dims = [1] : {BOX}", BOX, STORED[:, ::-1]),
    "dequantized": (
        f"stablehlo.uniform_dequantize %x : ({BOX}) -> tensor<2x3xf32>",
        "tensor<2x3xf32>",
        EXPRESSED.astype(np.float32),
    ),
    "add": (f"stablehlo.add %x, %x : {BOX}", BOX, stored(2 * EXPRESSED)),
    "multiply": (f"stablehlo.multiply %x, %x : {BOX}", BOX, stored(EXPRESSED * EXPRESSED)),
    "negate": (f"stablehlo.negate %x : {BOX}", BOX, stored(-EXPRESSED)),
    "abs": (f"stablehlo.abs %x : {BOX}", BOX, stored(np.abs(EXPRESSED))),
    "maximum": (f"stablehlo.maximum %x, %x : {BOX}", BOX, STORED),
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_moved_values_keep_their_integers_and_others_are_computed(name: str, fast: bool) -> None:
    line, type_, expected = CASES[name]
    program = Program(
        parsed(f"func.func @main(%x: {BOX}) -> {type_} {{ %0 = {line} return %0 : {type_} }}"), Settings(fast=fast)
    )
    for _ in range(2):
        (found,) = program.run([STORED])
        np.testing.assert_array_equal(found, expected, strict=True)


def test_ops_of_plain_values_share_their_kernels_and_quantized_ones_are_their_own() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<4xf32>
      %1 = stablehlo.negate %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    for given, shared in ((text, True), (text.replace("xf32", f"x{Q}"), False)):
        first, second = Program(parsed(given), Settings(fast=False))._planner.plan("main").steps
        assert (first.kernel is second.kernel) == shared, given


@pytest.mark.parametrize("element", ["i4", "u4", "i8", "u8", "i16", "u16"])
@pytest.mark.parametrize("dimension", [None, 0, 1, 2])
def test_integers_are_those_of_the_formula_in_each_slice(element: str, dimension: int | None) -> None:
    """Divided by the scale, from the zero point on, cut off at both ends; halves go to the even integer."""
    shape, bits = (2, 3, 5), int(element[1:])
    lowest, highest = (-(1 << bits - 1), (1 << bits - 1) - 1) if element[0] == "i" else (0, (1 << bits) - 1)
    count = 1 if dimension is None else shape[dimension]
    scales = [0.5, 2.0, 0.25, 1.0, 4.0][:count]
    zeros = [lowest + 3, highest - 2, lowest, highest, (lowest + highest) // 2][:count]
    axis = "" if dimension is None else f":{dimension}"
    listed = [f"{scale}:{zero}" for scale, zero in zip(scales, zeros, strict=True)]
    steps = listed[0] if dimension is None else f"{{{', '.join(listed)}}}"
    type_ = f"tensor<2x3x5x!quant.uniform<{element}:f32{axis}, {steps}>>"
    text = f"""func.func @main(%x: tensor<2x3x5xf32>) -> ({type_}, tensor<2x3x5xf32>) {{
      %0 = stablehlo.uniform_quantize %x : (tensor<2x3x5xf32>) -> {type_}
      %1 = stablehlo.uniform_dequantize %0 : ({type_}) -> tensor<2x3x5xf32>
      return %0, %1 : {type_}, tensor<2x3x5xf32> }}"""
    broadcast = [count if number == dimension else 1 for number in range(3)]
    scale, zero = (np.reshape(np.array(each, np.float64), broadcast) for each in (scales, zeros))
    halves = np.random.default_rng(bits).integers(2 * lowest - 9, 2 * highest + 9, shape) / 2
    x = ((halves - zero) * scale).astype(np.float32)
    integers = np.clip(np.rint(halves), lowest, highest)
    for fast in (True, False):
        quantized, floats = Program(parsed(text), Settings(fast=fast)).run([x])
        np.testing.assert_array_equal(quantized.astype(np.int64), integers)
        np.testing.assert_array_equal(floats, ((integers - zero) * scale).astype(np.float32))
