"""Rounding errors are attributed to the ops that make them."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.debug.tracing.numerics import numerics
from stablehlo_py.engines import open_engine

T = "tensor<16xf32>"


@pytest.fixture(scope="module")
def shadow():
    with open_engine("reference:f64") as engine:
        yield engine


def found(body, shadow, *arguments, engine="reference"):
    lines = "\n".join(f"%{number} = {line}" for number, line in enumerate(body))
    names = ", ".join(f"%{name}: {T}" for name in "abc"[: len(arguments)])
    text = f"func.func @main({names}) -> {T} {{\n{lines}\nreturn %{len(body) - 1} : {T} }}"
    with open_engine(engine) as program:
        return numerics(examine(stablehlo_py.parse(text)), [np.float32(a) for a in arguments], program, shadow)


SMALL = np.linspace(0.1, 0.9, 16)


def test_the_subtraction_that_cancels_is_first(shadow):
    body = [f"stablehlo.add %a, %b : {T}", f"stablehlo.subtract %0, %b : {T}", f"stablehlo.sine %1 : {T}"]
    worst = found(body, shadow, SMALL, np.full(16, 1e5)).ranked()[0]
    assert worst.place.op == "stablehlo.subtract"
    assert worst.causes == ("cancellation",)
    assert worst.introduced == 0  # the subtraction itself is exact: it shows what was lost before


def test_a_number_that_is_too_small_to_matter_is_absorbed(shadow):
    (addition,) = found([f"stablehlo.add %a, %b : {T}"], shadow, SMALL, np.full(16, 1e9)).contributions
    assert addition.causes == ("absorption",)
    assert addition.elements == (1.0,)


def test_overflow_and_underflow_are_told_from_what_double_precision_has(shadow):
    body = [f"stablehlo.multiply %a, %b : {T}"]
    (large,) = found(body, shadow, SMALL, np.full(16, 1e5), engine="reference:f16").contributions
    assert "overflow" in large.causes
    (tiny,) = found(body, shadow, SMALL, np.full(16, 1e-6), engine="reference:f16").contributions
    assert "underflow" in tiny.causes
    assert tiny.amount == "denormal numbers"


def test_errors_are_those_of_numpy_in_both_precisions(shadow):
    body = [f"stablehlo.multiply %a, %a : {T}", f"stablehlo.add %0, %a : {T}"]
    single = np.float32(SMALL) * np.float32(SMALL) + np.float32(SMALL)
    double = np.float64(np.float32(SMALL)) ** 2 + np.float64(np.float32(SMALL))
    expected = np.sqrt(np.mean((single - double) ** 2) / np.mean(double**2))
    assert found(body, shadow, SMALL).contributions[1].total == pytest.approx(expected, rel=1e-6)


def test_source_lines_add_up(shadow):
    result = found([f"stablehlo.sine %a : {T}", f"stablehlo.cosine %0 : {T}"], shadow, SMALL)
    assert list(result.by_line()) == sorted(result.by_line(), key=lambda line: -result.by_line()[line])
    assert len(result.by_line()) == 2


def test_bits_cannot_be_widened(shadow):
    text = "func.func @main(%a: tensor<f32>) -> tensor<i32> {\n" + (
        "%0 = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<i32>\nreturn %0 : tensor<i32> }"
    )
    outcome = shadow.run(text.encode(), [np.float32(1)])
    assert outcome.status == "unsupported"
    assert "bitcast_convert" in outcome.message


def test_the_accuracy_that_an_op_states_is_shown(shadow):
    tolerance = "atol = 1.0e-3, rtol = 0x7FF8000000000000, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>"
    body = [f'"stablehlo.tanh"(%a) {{result_accuracy = #stablehlo.result_accuracy<{tolerance}>}} : ({T}) -> {T}']
    text = str(found(body, shadow, SMALL))
    assert "(result_accuracy of the op: atol 0.001, rtol 0, 2 ULP)" in text
