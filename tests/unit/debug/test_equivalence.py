"""The verdict of `equivalent`: the same function, but for named roundings, a different one, or not told."""

from __future__ import annotations

import re

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.analysis.identity import program_hash
from stablehlo_py.debug.equivalence import DIFFERENT, ROUNDED, SAME, UNKNOWN, equivalent, function_hash
from stablehlo_py.errors import UsageError

LAYER = """func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x6xf32>) -> tensor<4x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %six = stablehlo.constant dense<6.0> : tensor<4x1xf32>
  %epsilon = stablehlo.constant dense<1.0e-5> : tensor<4x1xf32>
  %squares = stablehlo.multiply %x, %x : tensor<4x6xf32>
  %sums = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %rows = stablehlo.reshape %sums : (tensor<4xf32>) -> tensor<4x1xf32>
  %mean = stablehlo.divide %rows, %six : tensor<4x1xf32>
  %safe = stablehlo.add %mean, %epsilon : tensor<4x1xf32>
  %scale = stablehlo.rsqrt %safe : tensor<4x1xf32>
  %wide = stablehlo.broadcast_in_dim %scale, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
  %scaled = stablehlo.multiply %x, %wide : tensor<4x6xf32>
  %product = stablehlo.dot_general %scaled, %w, contracting_dims = [1] x [0]
      : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %0 = stablehlo.tanh %product : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}"""
RECIPROCAL = ("%mean = stablehlo.divide %rows, %six", "%mean = stablehlo.multiply %rows, %six")


def verdict(*changes: tuple[str, str], **options):
    text = LAYER
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return equivalent(stablehlo_py.parse(LAYER), stablehlo_py.parse(text), **options)


@pytest.mark.parametrize("changes", [
    [("multiply %x, %wide", "multiply %wide, %x")],
    [("%0 = stablehlo.tanh %product", "%e = stablehlo.optimization_barrier %product : tensor<4x6xf32>\n"
      "  %0 = stablehlo.tanh %e")],
    [("%scale = stablehlo.rsqrt %safe", "%root = stablehlo.sqrt %safe : tensor<4x1xf32>\n"
      "  %one = stablehlo.constant dense<1.0> : tensor<4x1xf32>\n  %scale = stablehlo.divide %one, %root")],
])  # fmt: skip
def test_the_same_function(changes):
    text = LAYER
    for old, new in changes:
        text = text.replace(old, new)
    found = equivalent(stablehlo_py.parse(LAYER), stablehlo_py.parse(text))
    assert (found.verdict, found.exit_code) == (SAME, 0), found


def test_a_rounded_reciprocal_is_named_with_both_places():
    found = verdict(RECIPROCAL, ("dense<6.0>", "dense<0.166666672>"))
    assert (found.verdict, found.exit_code) == (ROUNDED, 0), found
    (rounding,) = found.roundings
    assert re.match(r"stablehlo.divide at .*:9:\d+", rounding.first)
    assert re.match(r"stablehlo.multiply at .*:9:\d+", rounding.second)
    assert 1e-9 < rounding.distance < 2**-23
    assert str(found).startswith("the same function but for 1 rounding of constants\n  stablehlo.divide at ")


@pytest.mark.parametrize("changes", [
    [("dense<1.0e-5>", "dense<0.0>")],
    [("dense<1.0e-5>", "dense<1.00001e-5>")],
    [("dense<6.0>", "dense<6.00001>")],
    [RECIPROCAL],
    [("add %mean", "subtract %mean")],
    [("stablehlo.tanh", "stablehlo.logistic")],
    [("contracting_dims = [1] x [0]", "contracting_dims = [1] x [1]")],
    [("multiply %x, %wide", "multiply %wide, %wide")],
    [("multiply %x, %x", "add %x, %x")],
], ids=lambda changes: " ".join(changes[0]))  # fmt: skip
def test_a_different_function(changes):
    found = verdict(*changes)
    assert (found.verdict, found.exit_code) == (DIFFERENT, 1), found
    assert "in the first program" in found.message
    assert all(found.first)
    assert len(found.arguments) == 2


def test_a_constant_of_the_next_float_is_a_rounding():
    found = verdict(("dense<6.0>", f"dense<{np.nextafter(np.float32(6), np.float32(7))}>"))
    assert (found.verdict, len(found.roundings)) == (ROUNDED, 1), found


def test_given_arguments_are_used():
    ones = [np.ones((4, 6), np.float32), np.ones((6, 6), np.float32)]
    assert verdict(arguments=ones).verdict == SAME
    assert verdict(("add %mean", "subtract %mean"), arguments=ones).arguments[0] is ones[0]


def test_a_decision_by_rounding_cannot_be_told():
    text = """func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.maximum %x, %y : tensor<f32>
      return %0 : tensor<f32>
    }"""
    same = [np.float32(1), np.float32(1)]
    swapped = text.replace("%x, %y :", "%y, %x :")
    assert equivalent(stablehlo_py.parse(text), stablehlo_py.parse(swapped)).verdict == SAME
    found = equivalent(stablehlo_py.parse(text), stablehlo_py.parse(swapped), arguments=same)
    assert (found.verdict, found.exit_code) == (UNKNOWN, 2)
    assert "rounding may have decided" in found.message


def test_an_unknown_identity_cannot_be_told():
    text = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %s = stablehlo.sine %x : tensor<8xf32>
      %c = stablehlo.cosine %x : tensor<8xf32>
      %ss = stablehlo.multiply %s, %s : tensor<8xf32>
      %cc = stablehlo.multiply %c, %c : tensor<8xf32>
      %0 = stablehlo.add %ss, %cc : tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    other = text.replace("add %ss, %cc", "divide %ss, %ss")
    found = equivalent(stablehlo_py.parse(text), stablehlo_py.parse(other))
    assert found.verdict == UNKNOWN, found
    assert "identity" in found.message


def test_programs_of_other_arguments_are_refused():
    other = stablehlo_py.parse(LAYER.replace("%w: tensor<6x6xf32>", "%w: tensor<6x6xf32>, %z: tensor<f32>"))
    with pytest.raises(UsageError, match="different arguments"):
        equivalent(stablehlo_py.parse(LAYER), other)


def test_hashes():
    module, other = stablehlo_py.parse(LAYER), stablehlo_py.parse(LAYER.replace("tanh", "sine"))
    renamed = stablehlo_py.parse(re.sub(r"%(\w+)", r"%v\1", LAYER))
    lines = LAYER.split("\n")
    lines[1], lines[2] = lines[2], lines[1]
    reordered = stablehlo_py.parse("\n".join(lines))
    assert program_hash(module) == program_hash(renamed) == program_hash(reordered) != program_hash(other)
    head = "func.func @NAME(%x: tensor<f32>) -> tensor<f32>"
    helper = f"{head} {{ %0 = stablehlo.NAME %x : tensor<f32> return %0 : tensor<f32> }}"
    helpers = [helper.replace("NAME", name) for name in ("sine", "cosine")]
    ways = [stablehlo_py.parse("\n".join([LAYER, *order])) for order in (helpers, helpers[::-1])]
    assert program_hash(ways[0]) == program_hash(ways[1]) != program_hash(module)
    swapped = stablehlo_py.parse(LAYER.replace("multiply %x, %wide", "multiply %wide, %x"))
    assert program_hash(module) != program_hash(swapped)
    assert function_hash(module) == function_hash(swapped) != function_hash(other)
