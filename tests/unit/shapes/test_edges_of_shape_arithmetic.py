"""Shapes that are computed from integers: refinement finds what the interpreter computes, for each op that it knows."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import stablehlo_py

PROGRAM = """func.func @main() -> tensor<?x?xi32> {
  %a = stablehlo.constant dense<A> : tensor<2xi32>
  %b = stablehlo.constant dense<B> : tensor<2xi32>
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<3> : tensor<i32>
  %p = stablehlo.compare LT, %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %q = stablehlo.compare NE, %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  OPS
  %m = stablehlo.abs %r : tensor<2xi32>
  %n = stablehlo.constant dense<99> : tensor<2xi32>
  %s = stablehlo.minimum %m, %n : tensor<2xi32>
  %o = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  return %o : tensor<?x?xi32>
}"""
T, P = "tensor<2xi32>", "tensor<2xi1>"


def agrees(ops: str, a: list[int], b: list[int]) -> None:
    """Check that the refined shape is the one of the interpreter's result."""
    text = PROGRAM.replace("OPS", ops).replace("dense<A>", f"dense<{a}>").replace("dense<B>", f"dense<{b}>")
    module = stablehlo_py.parse(text)
    (made,) = stablehlo_py.interpret(module, [])
    stablehlo_py.run_passes(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    found = re.search(r"-> tensor<(\w+)xi32> \{", str(module))
    assert found, f"{ops}\nis not known: {module}"
    assert found[1] == "x".join(map(str, np.shape(made))), f"{ops}\nof {a} and {b}"


BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "divide", "remainder", "power"]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize(
    ("a", "b"), [([7, -7], [2, 2]), ([7, -7], [-2, -3]), ([0, 5], [3, 5]), ([6, 1], [3, 64]), ([1 << 30, 3], [4, 1])]
)
def test_elements_of_two_tensors(name: str, a: list[int], b: list[int]) -> None:
    if name == "power":
        b = [abs(each) for each in b]
    agrees(f"%r = stablehlo.{name} %a, %b : {T}", a, b)


@pytest.mark.parametrize("name", ["abs", "negate", "sign"])
@pytest.mark.parametrize("a", [[7, -7], [0, 1], [1 - (1 << 31), 5]])
def test_elements_of_one_tensor(name: str, a: list[int]) -> None:
    agrees(f"%r = stablehlo.{name} %a : {T}", a, [0, 0])


@pytest.mark.parametrize(
    ("width", "a", "b"), [("i8", [100, -128], [100, 1]), ("ui8", [200, 3], [100, 4]), ("i16", [300, 1], [300, 2])]
)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
def test_narrow_integers_wrap_around(name: str, width: str, a: list[int], b: list[int]) -> None:
    narrow = f"tensor<2x{width}>"
    agrees(
        f"""%x = stablehlo.convert %a : ({T}) -> {narrow}
        %y = stablehlo.convert %b : ({T}) -> {narrow}
        %v = stablehlo.{name} %x, %y : {narrow}
        %r = stablehlo.convert %v : ({narrow}) -> {T}""",
        a,
        b,
    )


@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
@pytest.mark.parametrize(("a", "b"), [([1, 2], [2, 1]), ([1, -1], [1, 1])])
def test_comparisons_choose(direction: str, a: list[int], b: list[int]) -> None:
    agrees(
        f"""%v = stablehlo.compare {direction}, %a, %b : ({T}, {T}) -> {P}
        %u = stablehlo.add %a, %b : {T}
        %r = stablehlo.select %v, %a, %u : {P}, {T}""",
        a,
        b,
    )


@pytest.mark.parametrize("name", ["and", "or", "add", "multiply", "maximum", "minimum"])
@pytest.mark.parametrize(("a", "b"), [([1, 2], [2, 1]), ([1, -1], [1, 1])])
def test_truths(name: str, a: list[int], b: list[int]) -> None:
    agrees(f"%v = stablehlo.{name} %p, %q : {P}\n%r = stablehlo.convert %v : ({P}) -> {T}", a, b)
    agrees(f"%v = stablehlo.not %p : {P}\n%r = stablehlo.select %v, %a, %b : {P}, {T}", a, b)
    agrees(f"%v = stablehlo.convert %a : ({T}) -> {P}\n%r = stablehlo.select %v, %b, %a : {P}, {T}", [0, 5], b)


REDUCED = """%t = "stablehlo.reduce"(%c, %z) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %v = stablehlo.NAME %x, %y : tensor<i32>
      stablehlo.return %v : tensor<i32>
    }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
    %u = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %r = stablehlo.add %u, %a : tensor<2xi32>"""


@pytest.mark.parametrize(
    "ops",
    [
        f"%r = stablehlo.clamp %b, %a, %b : {T}",
        f"%r = stablehlo.clamp %z, %a, %b : (tensor<i32>, {T}, {T}) -> {T}",
        *[
            f"%k = stablehlo.constant dense<[5, 6]> : {T}\n%r = stablehlo.clamp {', '.join(order)} : {T}"
            for order in itertools.permutations(["%a", "%b", "%k"])
        ],
        f"%r = stablehlo.reshape %a : ({T}) -> {T}",
        f"%r = stablehlo.optimization_barrier %b : {T}",
        f"%v = stablehlo.concatenate %a, %b, dim = 0 : ({T}, {T}) -> tensor<4xi32>\n"
        f"%r = stablehlo.slice %v [1:4:2] : (tensor<4xi32>) -> {T}",
        f"%v = stablehlo.slice %c [0:2, 1:2] : (tensor<2x3xi32>) -> tensor<2x1xi32>\n"
        f"%r = stablehlo.reshape %v : (tensor<2x1xi32>) -> {T}",
        f"%v = stablehlo.slice %c [1:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<1x2xi32>\n"
        f"%r = stablehlo.reshape %v : (tensor<1x2xi32>) -> {T}",
        f"%v = stablehlo.concatenate %c, %c, dim = 1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x6xi32>\n"
        f"%w = stablehlo.slice %v [1:2, 2:5:2] : (tensor<2x6xi32>) -> tensor<1x2xi32>\n"
        f"%r = stablehlo.reshape %w : (tensor<1x2xi32>) -> {T}",
        f"%v = stablehlo.broadcast_in_dim %c, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>\n"
        f"%w = stablehlo.slice %v [1:2, 0:2] : (tensor<3x2xi32>) -> tensor<1x2xi32>\n"
        f"%r = stablehlo.reshape %w : (tensor<1x2xi32>) -> {T}",
        f"%v = stablehlo.broadcast_in_dim %a, dims = [1] : ({T}) -> tensor<3x2xi32>\n"
        f"%w = stablehlo.slice %v [2:3, 0:2] : (tensor<3x2xi32>) -> tensor<1x2xi32>\n"
        f"%r = stablehlo.reshape %w : (tensor<1x2xi32>) -> {T}",
        f"%v = stablehlo.iota dim = 1 : tensor<2x3xi32>\n"
        f"%w = stablehlo.slice %v [1:2, 1:3] : (tensor<2x3xi32>) -> tensor<1x2xi32>\n"
        f"%r = stablehlo.reshape %w : (tensor<1x2xi32>) -> {T}",
        *[REDUCED.replace("NAME", name) for name in ("add", "multiply", "maximum", "minimum")],
    ],
)
def test_ops_that_move_or_fold_elements(ops: str) -> None:
    agrees(ops, [4, 9], [7, 5])
    agrees(ops, [-4, 9], [7, 5])


UNKNOWN = ["abs %x", "negate %x", "sign %x", *[f"{name} %x, %x" for name in BINARY]]


@pytest.mark.parametrize("op", UNKNOWN)
def test_elements_that_nothing_is_known_about_stay_unknown(op: str) -> None:
    text = f"""func.func @main(%x: tensor<1xi32>) -> tensor<?xi32> {{
      %0 = stablehlo.{op} : tensor<1xi32>
      %one = stablehlo.constant dense<1> : tensor<1xi32>
      %1 = stablehlo.maximum %0, %one : tensor<1xi32>
      %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      return %2 : tensor<?xi32>
    }}"""
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    known = "tensor<1xi32>" if op == "subtract %x, %x" else "tensor<?xi32>"
    assert f"-> {known} {{" in str(module), module
