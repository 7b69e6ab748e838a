"""Integers that programs compute shapes with, folded during refinement, beside what the interpreter computes."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py

EDGES = {"i8": [-128, -127, -8, -7, -1, 1, 2, 7, 8, 127, 0, -3], "ui8": [0, 1, 2, 3, 7, 8, 127, 128, 129, 254, 255, 5]}
BINARY = ("add", "subtract", "multiply", "maximum", "minimum", "divide", "remainder")


def folded(body: str, result: str) -> tuple[str, list]:
    """The program after folding, and its results, which are those before it."""
    module = stablehlo_py.parse(f"func.func @main() -> {result} {{\n{body}\n  return %r : {result}\n}}")
    before = [each.tolist() for each in stablehlo_py.interpret(module, [])]
    stablehlo_py.run_passes(module, "builtin.module(stablehlo-fold-shape-values)")
    after = [each.tolist() for each in stablehlo_py.interpret(module, [])]
    assert after == before, body
    return str(module), after


@pytest.mark.parametrize("type_", EDGES)
@pytest.mark.parametrize("op", BINARY)
def test_ops_of_two_integers_at_their_edges(op: str, type_: str) -> None:
    values = EDGES[type_]
    for shift in range(0, len(values), 3):
        others = [*values[shift:], *values[:shift]]
        if op in ("divide", "remainder"):
            others = [other if other else 3 for other in others]
        tensor = f"tensor<{len(values)}x{type_}>"
        text, _ = folded(
            f"  %a = stablehlo.constant dense<{values}> : {tensor}\n"
            f"  %b = stablehlo.constant dense<{others}> : {tensor}\n"
            f"  %r = stablehlo.{op} %a, %b : {tensor}",
            tensor,
        )
        assert f"stablehlo.{op}" not in text


@pytest.mark.parametrize("op", ["divide", "remainder"])
def test_a_quotient_by_zero_stays(op: str) -> None:
    operands = "".join(
        f"  %{name} = stablehlo.constant dense<{values}> : tensor<2xi32>\n"
        for name, values in {"a": [1, 2], "b": [0, 2]}.items()
    )
    text, _ = folded(f"{operands}  %r = stablehlo.{op} %a, %b : tensor<2xi32>", "tensor<2xi32>")
    assert f"stablehlo.{op}" in text


A = "  %a = stablehlo.constant dense<[[1, -2, 3], [4, 5, -6]]> : tensor<2x3xi32>\n"
B = "  %b = stablehlo.constant dense<[[3, -2, 1], [4, 9, 0]]> : tensor<2x3xi32>\n"
N = "  %n = stablehlo.constant dense<-1> : tensor<i32>\n  %m = stablehlo.constant dense<4> : tensor<i32>\n"
T = "tensor<2x3xi32>"
ROWS = [
    *((f"%c = stablehlo.compare {way}, %a, %b : ({T}, {T}) -> tensor<2x3xi1>\n"
       f"%r = stablehlo.convert %c : (tensor<2x3xi1>) -> {T}", "2x3xi32")
      for way in ("EQ", "NE", "LT", "LE", "GT", "GE")),
    (f"%c = stablehlo.compare LT, %a, %b : ({T}, {T}) -> tensor<2x3xi1>\n"
     f"%r = stablehlo.select %c, %a, %b : tensor<2x3xi1>, {T}", "2x3xi32"),
    (f"%r = stablehlo.clamp %n, %a, %m : (tensor<i32>, {T}, tensor<i32>) -> {T}", "2x3xi32"),
    (f"%r = stablehlo.concatenate %a, %b, dim = 0 : ({T}, {T}) -> tensor<4x3xi32>", "4x3xi32"),
    (f"%r = stablehlo.concatenate %a, %b, dim = 1 : ({T}, {T}) -> tensor<2x6xi32>", "2x6xi32"),
    (f"%r = stablehlo.slice %a [0:2, 0:3:2] : ({T}) -> tensor<2x2xi32>", "2x2xi32"),
    (f"%r = stablehlo.slice %a [1:2, 1:3] : ({T}) -> tensor<1x2xi32>", "1x2xi32"),
    (f"%r = stablehlo.reshape %a : ({T}) -> tensor<3x2xi32>", "3x2xi32"),
    (f"%r = stablehlo.broadcast_in_dim %a, dims = [0, 2] : ({T}) -> tensor<2x2x3xi32>", "2x2x3xi32"),
    (f"%r = stablehlo.broadcast_in_dim %a, dims = [1, 0] : ({T}) -> tensor<3x2xi32>", "3x2xi32"),
    (f"%r = stablehlo.convert %a : ({T}) -> tensor<2x3xui8>", "2x3xui8"),
    (f"%r = stablehlo.convert %a : ({T}) -> tensor<2x3xi64>", "2x3xi64"),
    (f"%r = stablehlo.get_dimension_size %a, dim = 1 : ({T}) -> tensor<i32>", "i32"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "result"), ROWS)
def test_ops_on_lists_of_integers(lines: str, result: str) -> None:
    text, _ = folded(A + B + N + lines, f"tensor<{result}>")
    assert text.count("stablehlo.") == text.count("stablehlo.constant") > 0


def test_powers_are_folded_up_to_64() -> None:
    for power, folds in ((0, True), (1, True), (64, True), (65, False)):
        text, found = folded(
            f"  %a = stablehlo.constant dense<[-1, 3]> : tensor<2xi32>\n"
            f"  %b = stablehlo.constant dense<{power}> : tensor<2xi32>\n  %r = stablehlo.power %a, %b : tensor<2xi32>",
            "tensor<2xi32>",
        )
        assert ("stablehlo.power" not in text) == folds
        assert found[0][0] == (-1) ** power
        assert np.int64(found[0][1]) % 2**32 == 3**power % 2**32
