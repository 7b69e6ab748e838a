"""A search stays on its error: the kind of a difference is part of it, in every step."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import planted_engine
import pytest
from swapped_engine import Here
from test_debug_reduction import reduced

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug import bisect, examine, trace
from stablehlo_py.debug.allowed.measures import Tolerance, difference
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.reduction.predicates import Disagreement, Failure, kinds, relaxed, same_error, shows
from stablehlo_py.errors import StablehloError

pytestmark = pytest.mark.usefixtures("importable")  # engines start with `planted_engine` at hand
CLOSE = Tolerance(relative=1e-6)
NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("given", "expected", "found"),
    [
        ([1, 2], [1, 2], []),
        ([1, 2.5], [1, 2], ["values differ in digit 2"]),
        ([1, 2.005], [1, 2], ["values differ in digit 4"]),
        ([1, -2], [1, 2], ["values differ in sign"]),
        ([-1, 2.5], [1, 2], ["values differ in digit 1"]),
        ([0, 1e30], [0, 1], ["values differ in digit 1"]),
        ([NAN, 2.005], [1, 2], ["NaN in place of numbers", "values differ in digit 4"]),
        ([1, 2], [NAN, 2], ["numbers in place of NaN"]),
        ([INF, 2], [1, 2], ["infinity in place of numbers"]),
        ([1, 2], [1, -INF], ["numbers in place of infinity"]),
        ([INF, 2], [-INF, 2], ["infinities differ in sign"]),
        ([NAN, NAN], [NAN, 2], ["NaN in place of numbers"]),
        ([1e-4, 1], [2e-4, 1], ["values differ in digit 5"]),  # as large as is typical for the result
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_each_difference_has_a_kind(given, expected, found, dtype):
    assert kinds(np.array(given, dtype), np.array(expected, dtype), CLOSE) == found


def test_kinds_of_other_types():
    assert kinds(np.int32([3]), np.int32([4]), CLOSE) == ["integers differ"]
    assert kinds(np.array([True]), np.array([False]), CLOSE) == ["booleans differ"]
    assert kinds(np.float32([3]), np.float32([[3]]), CLOSE) == ["a result of another shape"]
    assert kinds(np.array([1, -2], ml_dtypes.bfloat16), np.array([1, 2], ml_dtypes.bfloat16), CLOSE) == [
        "values differ in sign"
    ]


def test_an_error_is_the_same_one_with_another_digit_but_not_with_another_sign_or_size():
    wanted = "values differ in digit 3"
    for line, same in (
        (wanted, True),
        ("NaN in place of numbers\nvalues differ in digit 4", True),
        ("values differ in digit 5", False),
        ("values differ in sign", False),
        ("NaN in place of numbers", False),
        ("", False),
    ):
        assert shows(line, wanted) is same, line
    for line, other, same in (
        ("values differ in sign", "values differ in digit 2", True),
        ("values differ in digit 1", "values differ in sign", False),
        ("values differ in sign", relaxed(wanted), True),
    ):
        assert shows(line, other) is same, f"{line!r} for {other!r}"
    assert relaxed("NaN in place of numbers") == "NaN in place of numbers"


def test_an_error_in_narrower_types_is_as_large_as_before():
    wrong, right = np.float32([1.5, 2, NAN]), np.float32([1, 2, 3])
    for change, same in (([0, 0, 0], True), ([1, 0, 0], False), ([0, 1, 0], False), ([0, 0, NAN], False)):
        other = wrong.astype(np.float16) + np.float16(change), right.astype(np.float16) + np.float16([0, 0, change[2]])
        assert same_error((wrong, right), other) is same, change


def test_many_ulp_are_a_relative_error_and_denormal_numbers_have_a_name():
    few, many = (difference(np.float32([one, 1]), np.float32([1, 1]), CLOSE) for one in (1 + 2**-20, 3))
    tiny = difference(np.float32([1e-40, 1]), np.float32([0, 1]), CLOSE)
    assert few.amount == "8 ULP"
    assert "8 ULP" in few.lines()[0]
    assert many.amount == "2 relative"
    assert "ULP" not in "".join(many.lines())
    assert tiny.amount == "denormal numbers"
    assert tiny.same
    assert any("denormal numbers" in line for line in tiny.lines())
    assert not few.denormal
    assert not difference(np.float32([NAN]), np.float32([1]), CLOSE).denormal
    assert difference(np.float32([NAN]), np.float32([1]), CLOSE).amount == "inf ULP"


SLIPPING = """func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %b : tensor<4xf32>
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %1 = stablehlo.add %0, %c : tensor<4xf32>
  %2 = stablehlo.divide %a, %1 : tensor<4xf32>
  %3 = stablehlo.exponential %2 : tensor<4xf32>
  %4 = stablehlo.cosine %3 : tensor<4xf32>
  %5 = stablehlo.multiply %4, %a : tensor<4xf32>
  return %5 : tensor<4xf32> }"""
PAIR = [np.float32([0.1, -1.3, 0.6, 0.4]), np.float32([0.3, 0.2, -0.7, 1.1])]


def test_an_error_in_f32_does_not_become_another_one_in_f16():
    found = reduced(SLIPPING, PAIR, predicate=lambda: Disagreement(Local(), Here("s", planted_engine.slipping())))
    names = [op.name for op in operations(found.program.operation) if op.name.startswith("stablehlo.")]
    assert names == ["stablehlo.divide", "stablehlo.exponential", "stablehlo.cosine"]
    assert {argument.dtype for argument in found.arguments} == {np.dtype(np.float32)}
    assert found.notes == ("the error takes 3 ops together: which of them is wrong cannot be told",)
    assert found.notes[0] in str(found)


def test_nan_does_not_become_a_wrong_digit():
    text = """func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = stablehlo.abs %a : tensor<4xf32>
      %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
      %2 = stablehlo.sqrt %0 : tensor<4xf32>
      return %1, %2 : tensor<4xf32>, tensor<4xf32> }"""
    found = reduced(
        text,
        PAIR[:1],
        predicate=lambda: Disagreement(Local(), Here("n", planted_engine.nan_and_rounding())),
    )
    assert found.signature == "NaN in place of numbers"
    assert [op.name for op in operations(found.program.operation) if op.name[:5] == "stabl"] == ["stablehlo.sqrt"]


def test_the_wrong_op_stays():
    """Where zeros stand for the op, the engine that adds one to programs with f16 is wrong, too."""
    text = """func.func @main(%a: tensor<4xf16>) -> tensor<4xf16> {
      %0 = stablehlo.negate %a : tensor<4xf16>
      %1 = stablehlo.abs %0 : tensor<4xf16>
      return %1 : tensor<4xf16> }"""
    found = reduced(
        text,
        [PAIR[0].astype(np.float16)],
        predicate=lambda: Disagreement(Local(), Here("s", planted_engine.slipping())),
    )
    (left,) = [op.name for op in operations(found.program.operation) if op.name.startswith("stablehlo.")]
    assert left == "stablehlo.negate"  # the first with which the results differ


def test_what_cannot_be_told_of_narrower_types_is_noted():
    class Cosine:
        def signature(self, module, arguments):
            return "has it" if "stablehlo.cosine" in str(stablehlo_py.parse(module).operation) else ""

        def limit(self, seconds):
            return

        def close(self):
            return

    found = reduced(SLIPPING, PAIR, predicate=Cosine)
    assert found.arguments[0].dtype == np.float16
    assert [note for note in found.notes if "element types became narrower" in note]


def test_a_failure_is_the_same_one_with_the_same_message():
    failure = Failure(Here("l", planted_engine.lacking_cbrt()))
    text = "func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {{ %0 = {} : tensor<1xf32> return %0 : tensor<1xf32> }}"
    cbrt = text.format("stablehlo.cbrt %a").encode(), [np.float32([1])]
    narrow = cbrt[0].replace(b"f32", b"f16"), [np.float16([1])]
    other = b"func.func @main() { return %x }", []
    assert failure.alike(cbrt, narrow)
    assert not failure.alike(cbrt, other)
    failure.close()


@pytest.mark.parametrize("look", [trace, bisect])
def test_an_engine_that_does_not_run_at_all_is_named_and_no_op_is(look):
    subject = examine(stablehlo_py.parse(SLIPPING))
    nothing, lacking = Here("nothing", planted_engine.failing()), Here("lacking", planted_engine.lacking_cbrt())
    with pytest.raises(StablehloError, match="the engine nothing does not run: unsupported: runs nothing"):
        look(subject, PAIR, Local(), nothing)
    cbrt = examine(stablehlo_py.parse(SLIPPING.replace("cosine", "cbrt")))
    assert look(cbrt, PAIR, Local(), lacking).culprit.op == "stablehlo.cbrt"


def test_bisect_says_what_it_found():
    subject = examine(stablehlo_py.parse(SLIPPING))
    found = bisect(subject, PAIR, Local(), Here("s", planted_engine.slipping()))
    lacking = Here("lacking", planted_engine.lacking_cbrt())
    failed = bisect(examine(stablehlo_py.parse(SLIPPING.replace("cosine", "cbrt"))), PAIR, Local(), lacking)
    cosine = Local().run(found.program.operation.get_asm().encode(), found.arguments).results[0]
    assert not found.alone
    assert f"[0]: {np.sin(np.arccos(cosine[0])):.4f}" in str(found)
    assert f"expected {cosine[0]!s}" in str(found)
    assert "4 of 4 elements; largest difference" in str(found)
    assert "lacking fails: unsupported: " in str(failed)
