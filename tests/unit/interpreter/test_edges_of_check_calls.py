"""Checks that are written as custom calls: which side is which, the tolerances at their bound, and their results."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.errors import CheckError

PROGRAM = """func.func @checked(%a: tensor<2xTYPE>, %b: tensor<2xTYPE>) {
  stablehlo.custom_call @TARGET(%a, %b) {has_side_effect = true} : (tensor<2xTYPE>, tensor<2xTYPE>) -> ()
  return
}
func.func @main(%a: tensor<2xTYPE>, %b: tensor<2xTYPE>) {
  func.call @checked(%a, %b) : (tensor<2xTYPE>, tensor<2xTYPE>) -> ()
  return
}"""
TARGETS = ("check.eq", "check.expect_eq", "check.expect_almost_eq", "check.expect_close")


def failure(target: str, actual: object, expected: object, type_: str = "f32") -> str:
    """What a check says of two arrays."""
    text = PROGRAM.replace("TARGET", target).replace("TYPE", type_)
    dtype = {"f32": np.float32, "i32": np.int32, "i1": np.bool_, "f64": np.float64}[type_]
    try:
        stablehlo_py.interpret(stablehlo_py.parse(text), [np.array(actual, dtype), np.array(expected, dtype)])
    except CheckError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("target", TARGETS)
def test_which_value_is_actual_and_which_expected(target: str) -> None:
    said = failure(target, [1, 2], [1, 3])
    assert said.startswith(f"<string>:2:3: error: 'stablehlo.custom_call @{target}' op "), said
    assert ": 2.0 (actual) vs 3.0 (expected) at index [1]; 1 of 2 elements differ" in said
    assert said.endswith("\n<string>:2:3: note: in function @checked")
    assert failure(target, [np.inf, -0.0], [np.inf, -0.0]) == ""


@pytest.mark.parametrize(
    ("type_", "actual", "expected"), [("i32", [5, 7], [5, 8]), ("i1", [True, False], [True, True])]
)
@pytest.mark.parametrize("target", ["check.eq", "check.expect_eq"])
def test_integers_and_booleans_have_to_be_equal(
    target: str, type_: str, actual: list[int], expected: list[int]
) -> None:
    assert (
        f": {actual[1]} (actual) vs {expected[1]} (expected)".lower()
        in failure(target, actual, expected, type_).lower()
    )
    assert failure(target, expected, expected, type_) == ""


@pytest.mark.parametrize(
    ("target", "inside", "outside"),
    [
        ("check.eq", 0.9e-4, 1.1e-4),
        ("check.expect_almost_eq", 0.9e-3, 1.1e-3),
        ("check.expect_close", 3 * 2.0**-52, 4 * 2.0**-52),
        ("check.expect_eq", 0.0, 2.0**-52),
    ],
)
def test_floats_may_be_apart_by_the_tolerance_of_the_check(target: str, inside: float, outside: float) -> None:
    for sign in (1, -1):
        one, other = [1.0, 1.0 + sign * inside * (1 if sign > 0 else 0.5)], [1.0, 1.0 + sign * outside]
        assert failure(target, one, [1.0, 1.0], "f64") == ""
        assert failure(target, [1.0, 1.0], one, "f64") == ""
        assert failure(target, other, [1.0, 1.0], "f64") != ""
        assert failure(target, [1.0, 1.0], other, "f64") != ""


def test_an_assertion_on_shapes_says_its_message_with_the_numbers() -> None:
    text = """func.func @main(%p: tensor<i1>, %n: tensor<i32>, %m: tensor<i64>) {
  stablehlo.custom_call @shape_assertion(%p, %n, %m) {error_message = "{1} is not {0}, nor {1}", has_side_effect = true}
    : (tensor<i1>, tensor<i32>, tensor<i64>) -> ()
  return
}"""
    module = stablehlo_py.parse(text)
    assert stablehlo_py.interpret(module, [np.True_, np.int32(3), np.int64(4)]) == []
    with pytest.raises(CheckError) as raised:
        stablehlo_py.interpret(module, [np.False_, np.int32(3), np.int64(4)])
    assert str(raised.value).splitlines()[0] == (
        "<string>:2:3: error: 'stablehlo.custom_call @shape_assertion' op 4 is not 3, nor 4"
    )
