"""The runs that show how far a program's results may be apart, and the tolerances that they give."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.elements import constant_value
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug.allowed.measures import EXACT, Tolerance
from stablehlo_py.debug.allowed.spread import (
    Local,
    first_beyond,
    narrower,
    perturbed,
    perturbed_weights,
    tolerance_of,
    tolerances,
    ways,
)

F = np.float32
X = F([0.3, -1.7, 2.9])
MANY = np.linspace(0.3, 2.9, 40, dtype=F)


def program(body: str, parameters: str = "%x: tensor<3xf32>", result: str = "tensor<3xf32>") -> bytes:
    return f"func.func @main({parameters}) -> {result} {{ {body} return %r : {result} }}".encode()


SINE = program("%r = stablehlo.sine %x : tensor<3xf32>")
WEIGHTS = """%w = stablehlo.constant dense<[0.3, -1.7, 2.9]> : tensor<3xf32>
  %v = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xf32>
  %m = stablehlo.multiply %w, %v : tensor<3xf32>
  %r = stablehlo.sine %m : tensor<3xf32>"""
WEIGHTED = program(WEIGHTS, "%i: tensor<3xi32>")
BITS = """%s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %t, %f = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf32>)
  %r = stablehlo.sine %x : tensor<3xf32>"""
TIED = program(BITS)
LARGE = np.arange(40, dtype=np.int32) ** 3
LONG = [one.replace(b"3xf32", b"40xf32").replace(b"3xi32", b"40xi32") for one in (SINE, WEIGHTED)]
LONG[1] = LONG[1].replace(b"[0.3, -1.7, 2.9]", str(MANY.tolist()).encode())


def results(module: bytes, arguments: Sequence[np.ndarray], element: str = "") -> list[np.ndarray]:
    outcome = Local(element).run(module, arguments)
    assert outcome.ok, outcome
    return list(outcome.results)


def absolute(found: Tolerance) -> list[float]:
    assert isinstance(found.absolute, np.ndarray)
    return [float(one) for one in found.absolute.reshape(-1)]


@pytest.mark.parametrize(
    ("module", "arguments", "perturbed_ones"),
    [
        (LONG[0], [MANY], [(LONG[0], [perturbed(MANY, seed)]) for seed in range(2)]),
        (LONG[1], [LARGE], [(perturbed_weights(LONG[1], seed), [LARGE]) for seed in (1, 2)]),
    ],
    ids=["arguments", "weights"],
)
@pytest.mark.parametrize("element", ["", "bf16"])
def test_a_program_runs_in_doubles_and_on_floats_that_are_a_unit_off(module, arguments, perturbed_ones, element):
    expected = results(module, arguments)
    given = results(module, arguments, element)
    if not element:
        given = [given[0] + F(1)]
    runs = [(module, arguments, "f64"), *[(*one, "f64") for one in perturbed_ones]]
    runs += [(module, arguments, element)] if element else []
    others = [results(*run)[0] for run in runs]
    (found,) = tolerances(module, arguments, given, expected)
    np.testing.assert_array_equal(absolute(found), absolute(tolerance_of(expected[0], others)))
    assert found.ulp == 4
    for left_out in (3,) if element else (1, 2):  # each counts; the first is between those around it
        rest = absolute(tolerance_of(expected[0], others[:left_out] + others[left_out + 1 :]))
        assert np.not_equal(absolute(found), rest).any(), left_out


def test_results_that_are_bit_for_bit_the_same_are_not_run_again() -> None:
    (value,) = results(SINE, [X])
    assert tolerances(b"no program", [X], [value, value], [value.copy(), value.copy()]) == [EXACT, EXACT]
    zeros = np.zeros(3, F)
    program_of_zero = program("%r = stablehlo.multiply %x, %x : tensor<3xf32>")
    for given in (-zeros, zeros.astype(np.float64), zeros.view(np.int32)):
        (found,) = tolerances(program_of_zero, [zeros], [given], [zeros])
        assert found is not EXACT, given.dtype


def test_a_program_that_double_precision_does_not_run_runs_in_its_own_type() -> None:
    assert not Local("f64").run(TIED, [X]).ok
    expected = results(TIED, [X])
    (found,) = tolerances(TIED, [X], [expected[0] + F(1)], expected)
    others = [results(TIED, [one])[0] for one in (X, perturbed(X, 0), perturbed(X, 1))]
    assert absolute(found) == absolute(tolerance_of(expected[0], others))


def test_what_nothing_runs_has_no_spread() -> None:
    (found,) = tolerances(b"no program", [X], [X + F(1)], [X])
    assert absolute(found) == [0, 0, 0]


def test_each_result_has_a_tolerance_of_its_own() -> None:
    text = program("%r = stablehlo.sine %x : tensor<3xf32>", "%x: tensor<3xf32>, %y: tensor<2xf32>")
    text = text.replace(b"-> tensor<3xf32> {", b"-> (tensor<3xf32>, tensor<2xf32>, tensor<2xi32>) {")
    body = b"""%s = stablehlo.exponential %y : tensor<2xf32>
      %c = stablehlo.convert %s : (tensor<2xf32>) -> tensor<2xi32>
      return %r, %s, %c : tensor<3xf32>, tensor<2xf32>, tensor<2xi32>"""
    text = text.replace(b"return %r : tensor<3xf32>", body)
    arguments = [X, F([20, -1])]
    expected = results(text, arguments)
    found = tolerances(text, arguments, [one + 1 for one in expected], expected)
    assert [absolute(one).index(max(absolute(one))) for one in found[1:]] == [0, 0]
    assert [len(absolute(one)) for one in found] == [3, 2, 2]
    assert max(absolute(found[0])) < 1 < max(absolute(found[1]))
    assert absolute(found[2]) == [np.inf, 0]  # an integer is as uncertain as the float that it was, or not at all


@pytest.mark.parametrize(
    ("given", "expected", "number", "same_shape"),
    [
        ([X, X], [X, X], None, True),
        ([X, X + F(1)], [X, X], 1, True),
        ([X + F(1), X + F(1)], [X, X], 0, True),
        ([X, X[:2]], [X, X], 1, False),
        ([X[:2], X + F(1)], [X, X], 0, False),
    ],
)
def test_the_first_result_beyond_its_tolerance_is_told(given, expected, number, same_shape) -> None:
    found = first_beyond(b"", [], given, expected, Tolerance(absolute=0.5))
    if number is None:
        assert found is None
        return
    assert found is not None
    assert found[0] == number
    assert (found[1] is not None) == same_shape
    assert found[1] is None or found[1].max_absolute == pytest.approx(1)


def test_the_very_tolerance_that_is_given_counts_in_place_of_the_spread() -> None:
    assert first_beyond(b"", [], [X + F(1)], [X], Tolerance(absolute=2)) is None
    found = first_beyond(SINE, [X], [results(SINE, [X])[0] + F(1)], results(SINE, [X]))
    assert found is not None
    assert found[0] == 0


def test_ways_of_running_a_program() -> None:
    integers = np.int32([1, 2])
    given = [X, integers]
    for narrow, count in (("", 2), ("bf16", 2), ("f16", 1), ("", 0)):
        found = ways(given, narrow, count)
        assert [element for element, _ in found] == ["f64"] * (1 + count) + [narrow] * bool(narrow)
        assert [values[0].tobytes() for _, values in found[1 : 1 + count]] == [
            perturbed(X, seed).tobytes() for seed in range(count)
        ]
        assert all(values[1] is integers for _, values in found)
        assert all(found[place][1][0] is X for place in (0, *([-1] if narrow else [])))
    assert len(ways(given)) == 3


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_floats_are_moved_by_a_unit_in_their_own_type(dtype) -> None:
    array = np.array([1.0, 1.5, -1.25, 0.0, np.inf, np.nan] * 30, dtype)
    moved = perturbed(array, 3)
    assert moved.dtype == array.dtype
    unit = float(ml_dtypes.finfo(dtype).eps)
    exact = array.astype(np.float64)
    ones = moved.astype(np.float64)[exact == 1]
    assert set(ones) == {1 - unit / 2, 1.0, 1 + unit} or set(ones) == {1 - unit, 1.0, 1 + unit}
    others = np.isin(exact, [0, np.inf]) | np.isnan(exact)
    assert moved[others].tobytes() == array[others].tobytes()


def test_complex_numbers_and_integers_are_not_moved() -> None:
    for array in (np.complex64([1 + 2j]), np.complex128([1 + 2j]), np.int64([3]), np.array([True])):
        assert perturbed(array, 1) is array


def test_only_constants_of_different_floats_are_weights() -> None:
    texts = {
        "dense<[1.0, 2.0]> : tensor<2xf32>": True,
        "dense<[1.0, 2.0]> : tensor<2xf64>": True,
        "dense<1.0> : tensor<2xf32>": False,
        "dense<[1, 2]> : tensor<2xi32>": False,
        "dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>": False,
        "dense<> : tensor<0xf32>": False,
    }
    lines = " ".join(f"%{number} = stablehlo.constant {text}" for number, text in enumerate(texts))
    module = f"func.func @main() {{ {lines} return }}".encode()

    def values(code: bytes) -> list[np.ndarray]:
        parsed = ir.Module.parse(code, make_context())
        return [constant_value(op) for op in operations(parsed.operation) if op.name == "stablehlo.constant"]

    before = values(module)
    for seed in range(4, 8):
        after = values(perturbed_weights(module, seed))
        for text, old, new in zip(texts, before, after, strict=True):
            wanted = perturbed(old, seed) if texts[text] else old
            assert new.tobytes() == wanted.tobytes(), (text, seed)


def test_the_type_of_an_engine_is_narrower_only_if_it_has_fewer_digits() -> None:
    half, brain = np.zeros(1, np.float16), np.zeros(1, ml_dtypes.bfloat16)
    single, double, whole = np.zeros(1, F), np.zeros(1), np.zeros(1, np.int8)
    for given, expected, name in (
        ([half], [single], "f16"),
        ([brain], [half], "bf16"),
        ([half], [brain], ""),
        ([single], [single], ""),
        ([whole], [double], ""),
        ([single], [whole], ""),
        ([double, single, half], [double, double, single], "f32"),
        ([], [], ""),
        ([np.zeros(1, np.complex64)], [np.zeros(1, np.complex128)], "complex<f32>"),
    ):
        assert narrower(given, expected) == name, (given, expected)


def test_the_interpreter_in_this_process_tells_its_type_and_its_errors() -> None:
    assert (Local().name, Local("bf16").name) == ("reference", "reference:bf16")
    failing = program("%r = stablehlo.custom_call @unheard(%x) : (tensor<3xf32>) -> tensor<3xf32>")
    statuses = [Local(element).run(failing, [X]) for element in ("", "f64")]
    assert all(outcome.status in ("unsupported", "error") for outcome in statuses), statuses
    assert all("unheard" in outcome.message for outcome in statuses), statuses
    dividing = program("%r = stablehlo.divide %x, %x : tensor<3xf32>")
    with np.errstate(all="raise"):
        assert np.isnan(Local().run(dividing, [np.zeros(3, F)]).results[0]).all()
    assert Local("f64").run(SINE, [X]).results[0].dtype == np.float64
