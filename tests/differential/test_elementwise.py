"""Elementwise ops are the official interpreter's, bit by bit, and near the exact values where those cannot be computed.

Types of at most eight bits are tried with every value, and with every pair of values.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from agreement import assert_same_bits, distance, op_text, ours, pairs, random_values, report, theirs
from hypothesis import given
from hypothesis import strategies as st
from samples import chequered, sampled

from stablehlo_py.bindings.types import element_type
from stablehlo_py.conformance.generate.values import (
    BINARY,
    BOOLEAN,
    BYTES,
    COMPLEX,
    FINITE_ONLY,
    FLOATS,
    INTEGERS,
    UNARY,
    WIDE_FLOATS,
    dtype_of,
    every_value,
    part_of,
)
from stablehlo_py.conformance.oracle.scalars import TRANSCENDENTAL
from stablehlo_py.interpreter.element_types.rounding import nearest

SEEDS = st.integers(0, 2**32 - 1)
NARROW = [name for name in [*INTEGERS, *FLOATS] if element_type(name).bits <= 8]
DIRECTIONS = ["EQ", "NE", "LT", "LE", "GT", "GE"]

# Ops with exact or once rounded results; the functions have tests of their own. Quotients and signs of complex numbers
# are officially rounded several times, here once (tests/unit/interpreter/test_rounding.py).
EXACT_UNARY = {op: types for op, types in UNARY.items() if op not in TRANSCENDENTAL}
EXACT_UNARY["sign"] = [name for name in UNARY["sign"] if name not in COMPLEX]
EXACT_BINARY = {op: types for op, types in BINARY.items() if op != "atan2"} | {
    "divide": [*INTEGERS, *FLOATS],
    "power": INTEGERS,
    "remainder": [*INTEGERS, *FLOATS],  # officially it has no complex numbers
}
# Rounding to integers adds and subtracts a constant that these types do not have: officially, f6E2M3FN's 1.0 has the
# floor 0.0, and every value of f8E3M4 has the floor NaN.
OFFICIALLY_WRONG = {
    (op, name) for op in ["ceil", "floor", "round_nearest_afz", "round_nearest_even"] for name in ["f6E2M3FN", "f8E3M4"]
}


def result_type(op: str, name: str) -> str:
    return {"is_finite": "i1", "abs": part_of(name), "real": part_of(name), "imag": part_of(name)}.get(op, name)


def cases(ops: dict[str, list[str]], names: list[str]) -> list[tuple[str, str]]:
    chosen = [(op, name) for op, types in ops.items() for name in types if name in names]
    return [case for case in chosen if case not in OFFICIALLY_WRONG]


def defined(op: str, lhs: np.ndarray, rhs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs for which the official interpreter lives: integer division by zero, and of the smallest integer by -1,
    end it."""
    if op not in ("divide", "remainder") or lhs.dtype.kind not in "iuV" or dtype_of("bf16") == lhs.dtype:
        return lhs, rhs
    divisor = rhs.astype(np.float64)
    keep = (divisor != 0) & (divisor != -1)
    return lhs[keep], rhs[keep]


@pytest.mark.parametrize(("op", "name"), cases(EXACT_UNARY, [*NARROW, "i1", "i16", "ui16", "bf16", "f16"]))
def test_every_value(op: str, name: str) -> None:
    operand = every_value(name)
    assert_same_bits(op, [name], [operand], result_type(op, name))


@pytest.mark.parametrize(("op", "name"), sampled(cases(EXACT_BINARY, [*NARROW, "i1"]), 40))
def test_every_pair(op: str, name: str) -> None:
    is_integer = element_type(name).is_integer
    lhs, rhs = pairs(every_value(name), every_value(name))
    if is_integer:
        lhs, rhs = defined(op, lhs, rhs)
    assert_same_bits(op, [name, name], [lhs, rhs], name)


@pytest.mark.parametrize(("direction", "name"), chequered(DIRECTIONS, [*NARROW, "i1"]))
def test_compare_every_pair(direction: str, name: str) -> None:
    lhs, rhs = pairs(every_value(name), every_value(name))
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    assert_same_bits("compare", [name, name], [lhs, rhs], "i1", attributes)


@given(st.sampled_from(cases(EXACT_UNARY, [*INTEGERS, *FLOATS, *COMPLEX])), SEEDS)
def test_unary(case: tuple[str, str], seed: int) -> None:
    op, name = case
    operand = random_values(name, 500, random.Random(seed))
    assert_same_bits(op, [name], [operand], result_type(op, name))


@given(st.sampled_from(cases(EXACT_BINARY, [*BOOLEAN, *INTEGERS, *FLOATS, *COMPLEX])), SEEDS)
def test_binary(case: tuple[str, str], seed: int) -> None:
    op, name = case
    generator = random.Random(seed)
    lhs, rhs = random_values(name, 500, generator), random_values(name, 500, generator)
    if element_type(name).is_integer:
        lhs, rhs = defined(op, lhs, rhs)
    assert_same_bits(op, [name, name], [lhs, rhs], name)


@given(st.sampled_from([*BOOLEAN, *INTEGERS, *FLOATS, *COMPLEX]), st.sampled_from(DIRECTIONS), SEEDS)
def test_compare(name: str, direction: str, seed: int) -> None:
    generator = random.Random(seed)
    if name in COMPLEX and direction not in ("EQ", "NE"):
        direction = "EQ"  # the order of complex numbers is not officially implemented
    operands = [random_values(name, 500, generator), random_values(name, 500, generator)]
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    assert_same_bits("compare", [name, name], operands, "i1", attributes)


@given(st.sampled_from([*BOOLEAN, *INTEGERS, *FLOATS, *COMPLEX]), st.booleans(), SEEDS)
def test_clamp_and_select(name: str, is_scalar: bool, seed: int) -> None:
    generator = random.Random(seed)
    low, operand, high = [random_values(name, 200, generator) for _ in range(3)]
    if is_scalar:
        low, high = low[0].reshape(()), high[0].reshape(())
    assert_same_bits("clamp", [name] * 3, [low, operand, high], name, result_shape=operand.shape)
    pred = random_values("i1", 200, generator)[0 if is_scalar else slice(None)]
    on_false = random_values(name, 200, generator)
    assert_same_bits("select", ["i1", name, name], [np.asarray(pred), operand, on_false], name)


@given(st.sampled_from(["f32", "f64"]), SEEDS)
def test_complex(name: str, seed: int) -> None:
    generator = random.Random(seed)
    operands = [random_values(name, 200, generator) for _ in range(2)]
    assert_same_bits("complex", [name, name], operands, f"complex<{name}>")


# An infinity and an exponent of the width that IEEE-754 gives them: the official results for others follow neither.
IEEE = ["f8E3M4", "f8E4M3", "f8E5M2", *WIDE_FLOATS]


@given(st.sampled_from(IEEE), st.integers(1, 11), st.integers(0, 52), SEEDS)
def test_reduce_precision(name: str, exponent_bits: int, mantissa_bits: int, seed: int) -> None:
    operand = random_values(name, 500, random.Random(seed))
    attributes = f"exponent_bits = {exponent_bits} : i32, mantissa_bits = {mantissa_bits} : i32"
    assert_same_bits("reduce_precision", [name], [operand], name, attributes)


def assert_near(op: str, name: str, operands: list[np.ndarray]) -> None:
    """Within an ULP of the official result in double precision, rounded once; four ULPs for doubles."""
    is_double = name == "f64"
    exact_text = op_text(op, ["f64"] * len(operands), operands, "f64")
    wide = [operand.astype(np.float32 if element_type(name).bits < 32 else np.float64) for operand in operands]
    exact = nearest(theirs(exact_text, [operand.astype(np.float64) for operand in wide]), dtype_of(name))
    here = ours(op_text(op, [name] * len(operands), operands, name), operands)
    wrong = distance(here, exact) > (4 if is_double else 1)
    if element_type(name).name in FINITE_ONLY:  # NaN is a zero of the sign that the processor gave it
        wrong &= here.astype(np.float32) != exact.astype(np.float32)
    assert not wrong.any(), report(op, [name], wrong, operands, here, exact)


@pytest.mark.parametrize("op", TRANSCENDENTAL)
@pytest.mark.parametrize("name", [*FINITE_ONLY, *BYTES, "bf16", "f16"])
def test_transcendental_of_every_value(op: str, name: str) -> None:
    assert_near(op, name, [every_value(name)])


@given(st.sampled_from(sorted(TRANSCENDENTAL)), st.sampled_from(["f32", "f64"]), SEEDS)
def test_transcendental(op: str, name: str, seed: int) -> None:
    assert_near(op, name, [random_values(name, 500, random.Random(seed))])


@given(st.sampled_from(["atan2", "power"]), st.sampled_from(FLOATS), SEEDS)
def test_transcendental_of_pairs(op: str, name: str, seed: int) -> None:
    generator = random.Random(seed)
    assert_near(op, name, [random_values(name, 500, generator) for _ in range(2)])


@given(st.sampled_from(["cosine", "exponential", "log", "rsqrt", "sine", "sqrt", "tan", "tanh"]), SEEDS)
def test_transcendental_of_complex_numbers(op: str, seed: int) -> None:
    generator = random.Random(seed)
    for name in COMPLEX:
        operand = random_values(name, 300, generator)
        text = op_text(op, [name], [operand], name)
        here, officially = ours(text, [operand]), theirs(text, [operand])
        wrong = (distance(here, officially) > 8) & ~np.isnan(operand)  # NaN's sign is open; rsqrt is off by up to 6
        assert not wrong.any(), report(op, [name], wrong, [operand], here, officially)
