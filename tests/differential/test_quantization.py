"""Quantized ops are the official interpreter's, which lowers them to arithmetic on integers and floats."""

from __future__ import annotations

import numpy as np
from agreement import assert_same_bits, op_text, ours, theirs
from hypothesis import given
from hypothesis import strategies as st

from stablehlo_py.bindings.types import element_type

SEEDS = st.integers(0, 2**32 - 1)
ARITHMETIC = ["abs", "add", "ceil", "divide", "exponential", "floor", "maximum", "minimum", "multiply", "negate"]
ARITHMETIC += ["sign", "sine", "sqrt", "subtract", "tanh"]
BINARY = ["add", "divide", "maximum", "minimum", "multiply", "subtract"]


@st.composite
def quantized_types(draw: st.DrawFn) -> str:
    """Signed storage: officially, unsigned storage is read as signed. Zero points within the storage's bounds."""
    bits = draw(st.sampled_from([4, 8, 16]))
    zero_point = draw(st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1))
    scale = draw(st.floats(2.0**-10, 8.0, width=32))
    return f"!quant.uniform<i{bits}:f32, {scale!r}:{zero_point}>"


def storage(name: str, count: int, generator: np.random.Generator) -> np.ndarray:
    described = element_type(name)
    limit = 1 << (described.bits - 1)
    return generator.integers(-limit, limit, count).astype(described.dtype)


def apart(op: str, names: list[str], operands: list[np.ndarray], result: str) -> int:
    """The largest difference between the storage here and officially. It can be 1 where the official lowering
    multiplies by the quotient of two scales, which rounds elsewhere than the spec's formulas."""
    text = op_text(op, names, operands, result)
    here, officially = ours(text, operands), theirs(text, operands)
    return int(np.abs(here.astype(np.int64) - officially.astype(np.int64)).max())


@given(quantized_types(), quantized_types(), SEEDS)
def test_quantize_and_dequantize(name: str, other: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    floats = (generator.standard_normal(200) * 10.0 ** generator.integers(-2, 5, 200)).astype(np.float32)
    floats[:4] = [np.inf, -np.inf, np.nan, -0.0]
    assert_same_bits("uniform_quantize", ["f32"], [floats], name)
    operand = storage(name, 200, generator)
    assert_same_bits("uniform_dequantize", [name], [operand], "f32")
    if element_type(name).dtype == element_type(other).dtype:
        assert apart("uniform_quantize", [name], [operand], other) <= 1


@given(st.sampled_from(ARITHMETIC), quantized_types(), SEEDS)
def test_arithmetic(op: str, name: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    count = 2 if op in BINARY else 1
    operands = [storage(name, 200, generator) for _ in range(count)]
    assert apart(op, [name] * count, operands, name) <= (1 if op in ("add", "multiply") else 0)


@given(st.sampled_from(["EQ", "LT", "GE"]), quantized_types(), SEEDS)
def test_compare(direction: str, name: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    operands = [storage(name, 200, generator) for _ in range(2)]
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    assert_same_bits("compare", [name, name], operands, "i1", attributes)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), SEEDS)
def test_dot_general(rows: int, inner: int, columns: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    lhs_type, rhs_type = "!quant.uniform<i8:f32, 0.25:-3>", "!quant.uniform<i8<-127:127>:f32, 0.5>"
    result_type = "!quant.uniform<i32:f32, 0.125>"
    types = [
        f"tensor<{rows}x{inner}x{lhs_type}>",
        f"tensor<{inner}x{columns}x{rhs_type}>",
        f"tensor<{rows}x{columns}x{result_type}>",
    ]
    text = (
        f"func.func @main(%lhs: {types[0]}, %rhs: {types[1]}) -> {types[2]} {{\n"
        f"  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]"
        f" : ({types[0]}, {types[1]}) -> {types[2]}\n"
        f"  return %result : {types[2]}\n}}\n"
    )
    operands = [storage(lhs_type, rows * inner, generator).reshape(rows, inner)]
    operands.append(np.maximum(storage(rhs_type, inner * columns, generator), -127).reshape(inner, columns))
    np.testing.assert_array_equal(ours(text, operands), theirs(text, operands), err_msg=text)
