"""Edges of what is permitted, of verdicts in a line, and of imports with fewer results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.artifacts.formats.original import Original
from stablehlo_py.debug import examine
from stablehlo_py.debug.allowed.enclosures import Question, interval, outward
from stablehlo_py.debug.allowed.measures import wide_type
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import profile as profile_of
from stablehlo_py.debug.allowed.widths import sum_reach
from stablehlo_py.debug.imports import ImportCheck
from stablehlo_py.debug.judge import judge
from stablehlo_py.errors import InputError
from stablehlo_py.interpreter.element_types.ulp import spacing

TINY = float(np.finfo(np.float32).smallest_normal)


@pytest.mark.parametrize("flushes", [True, False])
@pytest.mark.parametrize(
    ("low", "high", "flushed"),
    [
        (TINY / 2, 1.0, True),
        (TINY, 1.0, False),
        (-1.0, -TINY / 2, True),
        (-1.0, -TINY, False),
        (TINY / 4, TINY / 2, True),
        (1.0, 2.0, False),
    ],
)
def test_zero_stands_for_denormals_where_they_may_be_flushed(
    flushes: bool, low: float, high: float, flushed: bool
) -> None:
    question: Any = SimpleNamespace(profile=SimpleNamespace(flushes=flushes))
    wanted = np.array([low], np.float32)
    found = interval(question, wanted, np.array([[low]]), np.array([[high]]), wanted.dtype, "")
    for given, is_inside in ((0.0, flushed and flushes), (-0.0, flushed and flushes), (low, True), (high, True)):
        assert found.outside(np.array([given], np.float32)).tolist() == [not is_inside], given


@pytest.mark.parametrize(("given", "number"), [(0, 0), (2, 1), (3, 1)])
def test_the_first_result_is_named_that_an_import_has_too_many_or_lacks(given: int, number: int) -> None:
    text = b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"

    def expanded() -> Any:
        raise InputError("cannot be expressed")

    original = Original("theirs", lambda arguments, _: [arguments[0]] * given, expanded, ())
    with pytest.raises(InputError, match=rf"result {number} is one of 1 results in place of {given}\n"):
        ImportCheck()(text, original)


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        ("func.func @main() { return }", [], "the results are the reference's"),
        (
            "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> { return %x : tensor<2xi32> }",
            [np.zeros(2, np.int32)],
            "the results are the reference's",
        ),
        (
            "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }",
            [np.ones(2, np.float32)],
            "the results differ by 1 ULP at most",
        ),
    ],
)
def test_how_far_results_are_apart_is_told_first(text: str, arguments: list[np.ndarray], said: str) -> None:
    class Nudged(Local):
        def run(self, module: bytes, arguments: Any) -> Any:
            outcome = super().run(module, arguments)
            if any(result.dtype.kind == "f" for result in outcome.results):
                nudged = tuple(np.nextafter(result, np.float32(2)) for result in outcome.results)
                return type(outcome)("ok", nudged)
            return outcome

    told = list[str]()
    engine = Nudged()
    engine.name = "nudged"
    judge(parsed(text), [engine], reference=Local(), arguments=arguments, say=told.append)
    assert told[0] == f"nudged: {said}; looking at each op", told


SORT = """func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = STABLE}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""


@pytest.mark.parametrize(
    ("profile", "is_stable", "given", "is_allowed"),
    [
        ("default", False, [1e-40, 2e-40, 1.0], True),
        ("default", False, [2e-40, 1e-40, 1.0], True),  # both are zero where they are flushed
        ("strict", False, [1e-40, 2e-40, 1.0], True),
        ("strict", False, [2e-40, 1e-40, 1.0], False),
        ("default", False, [1.0, 1e-40, 2e-40], False),
        ("default", False, [1e-40, 1e-40, 1.0], False),
        ("strict", True, [1e-40, 2e-40, 1.0], True),
        ("strict", True, [2e-40, 1e-40, 1.0], False),
    ],
)
def test_orders_of_a_sort(profile: str, is_stable: bool, given: list[float], is_allowed: bool) -> None:
    subject = examine(parsed(SORT.replace("STABLE", str(is_stable).lower())))
    (op,), operand = subject.ops, np.array([2e-40, 1.0, 1e-40], np.float32)
    wanted = Local().run(subject.bytecode(), [operand]).results
    values = {subject.block.arguments[0]: operand}
    question = Question(op, values, wanted, [wanted[0].dtype], subject.extractor, list(op.results), profile_of(profile))
    (found,) = allowed(question)
    assert found.outside(np.array(given, np.float32)).any() == (not is_allowed)


def test_sums_in_fewer_digits_may_be_off_by_units_of_these() -> None:
    strict = profile_of("strict")
    given = (np.dtype(np.float32), np.array([8.0]), np.array([8.0]), 8, strict)
    own, narrow = sum_reach(*given), sum_reach(*given, unit=2.0**-9)
    assert (own > 7 * 2.0**-24 * 8 * 0.99).all(), own
    assert (own <= 7 * 2.0**-24 * 8 * 1.01).all(), own
    assert (narrow >= 7 * 2.0**-9 * 8).all(), narrow
    assert (sum_reach(*given, unit=2.0**-30) == own).all()
    assert (own < sum_reach(*given, products=True)).all()
    assert (own < sum_reach(*given, converted=True)).all()
    zeros = (np.dtype(np.float32), np.zeros(1), np.zeros(1), 8)
    assert (sum_reach(*zeros, profile_of("default")) >= 8 * TINY).all()
    assert (sum_reach(*zeros, strict) < TINY / 1024).all()


@pytest.mark.parametrize(
    ("types", "wide"),
    [
        ("float32", np.float64), ("float16", np.float64), ("bfloat16", np.float64), ("complex64", np.float64),
        ("float64", np.longdouble), ("complex128", np.longdouble), ("int8", np.longdouble), ("bool", np.longdouble),
        ("float64 float32", np.float64), ("bfloat16 float64", np.float64), ("float32 int8", np.longdouble),
        ("float64 float64", np.longdouble),
    ],
)  # fmt: skip
def test_differences_of_narrow_floats_are_measured_in_double_precision(types: str, wide: type) -> None:
    assert wide_type(*[np.dtype(getattr(ml_dtypes, name, name)) for name in types.split()]) is wide


@pytest.mark.parametrize(
    ("element", "low", "high", "inside", "outside"),
    [
        ("float8_e4m3fn", 400, 500, [416, 448, np.nan], [384, -448]),  # 448 is the largest, and there is no infinity
        ("float8_e4m3fn", 500, 600, [np.nan], [448, 384]),
        ("float8_e4m3fn", 384, 448, [384, 448], [352, np.nan]),
        ("float8_e4m3fn", -448, -384, [-384, -448], [-352, np.nan]),
        ("float8_e4m3fn", -448, 448, [-448, 0, 448], [np.nan]),
        ("float8_e4m3fn", -449, 448, [-448, 0, 448, np.nan], []),
        ("float8_e5m2", -57344, 57344, [-57344, 57344], [np.inf, -np.inf, np.nan]),
        ("float8_e4m3fn", -500, -400, [-416, -448, np.nan], [-384, 448]),
        ("float8_e4m3fn", np.nan, np.nan, [np.nan], [0, 448]),
        ("float8_e5m2", 50000, 70000, [57344, np.inf], [40960, np.nan, -np.inf]),
        ("float8_e5m2", -70000, -50000, [-57344, -np.inf], [-40960, np.nan, np.inf]),
        ("float8_e5m2", np.nan, 1, [np.nan], [0, 1]),
        ("float32", 1, 2, [1, 1.5, 2], [0.9999, 2.0001, np.nan, np.inf]),
        ("float32", 1e38, 1e39, [1.5e38, 3e38, np.inf], [-np.inf, 9e37]),
        ("int32", 3, 3, [3], [2, 4]),
    ],
)
def test_what_is_too_large_is_infinite_or_no_number_and_what_is_not_stays_permitted(
    element: str, low: float, high: float, inside: list[float], outside: list[float]
) -> None:
    dtype = np.dtype(getattr(ml_dtypes, element, element))
    question: Any = SimpleNamespace(profile=SimpleNamespace(flushes=False))
    wanted = np.zeros(1, dtype)
    found = interval(question, wanted, np.array([[float(low)]]), np.array([[float(high)]]), dtype, "")
    for given, is_outside in [*((one, False) for one in inside), *((one, True) for one in outside)]:
        assert found.outside(np.array([given]).astype(dtype)).tolist() == [is_outside], given


@pytest.mark.parametrize("element", ["bfloat16", "float16", "float8_e5m2", "float32"])
def test_bounds_are_rounded_outward_to_the_next_values_of_a_type(element: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, element, element))
    random = np.random.default_rng(0)
    numbers = np.sort(random.standard_normal((500, 2)) * 10.0 ** random.integers(-3, 4, (500, 2)), 1)
    low, high = numbers[:, :1], numbers[:, 1:]
    down, up = outward(low, high, dtype)
    for bound, given, sign in ((down, low, 1), (up, high, -1)):
        apart = sign * (given - bound)
        assert (apart >= 0).all()
        assert (apart < spacing(given, dtype)).all()
        assert (bound.astype(dtype).astype(np.float64) == bound).all()
    exact = np.float64([[1.5], [-0.25], [np.inf], [-np.inf]])
    np.testing.assert_array_equal(outward(exact, exact, dtype), [exact, exact])
