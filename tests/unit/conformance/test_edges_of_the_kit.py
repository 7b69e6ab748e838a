"""Edges of how the kit finds its cases: operands whose values are closest to a middle."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.types import element_type
from stablehlo_py.conformance import catalog
from stablehlo_py.conformance.case import Expected
from stablehlo_py.conformance.cases import conversion, near_ties
from stablehlo_py.conformance.cases.contraction import bounded
from stablehlo_py.conformance.cases.linear_algebra import _one_triangle
from stablehlo_py.conformance.cases.near_ties import near_tie, nearest_ties
from stablehlo_py.conformance.catalog import Choice, Draw, cases
from stablehlo_py.conformance.coverage import _edges
from stablehlo_py.conformance.generate.values import (
    BINARY,
    COMPLEX,
    ELEMENTS,
    FINITE_ONLY,
    FLOATS,
    FOLDS,
    INTEGERS,
    POWERS,
    UNSIGNED,
    every_value,
    identity,
    special_values,
    values,
    wide,
)
from stablehlo_py.conformance.oracle.functions import of_complex, of_real
from stablehlo_py.conformance.oracle.rounding import array_of
from stablehlo_py.conformance.oracle.scalars import BOOLEAN_BINARY, INTEGER_BINARY, TRANSCENDENTAL, wrapped_array
from stablehlo_py.errors import Diagnostic, VerificationError

HALF = Fraction(1, 2)


def distance(value: Fraction) -> Fraction:
    """How far a number between 1 and 2 is from the middle of two doubles, in units in the last place."""
    return abs(value * 2**52 % 1 - HALF)


def test_an_operand_close_to_a_tie_is_found_by_a_straight_line() -> None:
    for slope, furthest in (
        (Fraction(10, 7), Fraction(1, 14)),  # values are multiples of a seventh
        (Fraction(9, 8), Fraction(0)),
        (Fraction(1414213562, 10**9), Fraction(1, 10**5)),
    ):
        found = near_tie(lambda x, slope=slope: Fraction(x) * slope, 1.0)
        assert found is not None
        assert 1.0 <= found < 1.0 + 2.0**-34, slope
        assert distance(Fraction(found) * slope) <= furthest, slope
    square = near_tie(lambda x: Fraction(x) ** 2 * Fraction(5, 4), 1.0)
    assert square is not None
    assert distance(Fraction(square) ** 2 * Fraction(5, 4)) < Fraction(1, 2000)


def test_a_function_that_bends_too_much_is_left_to_a_search() -> None:
    def bent(x: float) -> Fraction:
        steps = Fraction(x - 1) * 2**52
        return 1 + steps**2 * Fraction(1, 3 * 2**52)

    assert near_tie(bent, 1.0) is None
    operands = [1 + n * 2.0**-52 for n in range(9)]
    best = nearest_ties(bent, operands, 3)
    assert [distance(bent(x)) for x in best] == sorted(map(distance, map(bent, operands)))[:3]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("exact", "exact"),
        ("ulp", "2.5 ULP"),
        ("bounds", "bounds"),
        ("any order", "any order"),
        ("anything", "anything"),
    ],
)
def test_a_rule_in_words_has_its_units(rule: Any, words: str) -> None:
    assert Expected(np.zeros(1, np.float32), "f32", rule, 2.5).tolerance == words


def test_numbers_beyond_all_types_stay_there() -> None:
    """Their size is cut off, so that no fraction has millions of digits."""
    for operand, size in ((10.0, 14), (900.0, 1298), (1000.0, 1400), (1e6, 1400), (-900.0, -1299), (-1000.0, -1400)):
        value = of_real("exponential", operand)
        bits = value.numerator.bit_length() - value.denominator.bit_length()
        assert abs(bits - size) <= 1, operand
    assert of_real("exponential", -1e6) == Fraction(1, 2**1400)
    assert of_real("exponential_minus_one", 1e6) == 2**1400
    assert of_complex("negate", complex(0, -1e5)) == (0, 100_000)
    assert of_complex("exponential", complex(1e6, 3.0)) == (-(2**1400), 2**1400)
    assert of_real("exponential_minus_one", 0.0) == 0


@pytest.mark.parametrize("element", ["f16", "f32", "f64"])
def test_sums_of_denormal_numbers_are_not_zero(element: str) -> None:
    """Engines may flush them; the kit asks for what IEEE-754 has."""
    tiny = Fraction(float(ml_dtypes.finfo(element_type(element).dtype).tiny)) / 2
    sums = np.array([tiny, -tiny, tiny * 2**9], object)
    expected = bounded(sums, abs(sums), 2, element, products=False)
    assert expected.low is not None
    assert expected.high is not None
    assert (expected.low[0], expected.high[1]) > (0.0, -tiny)
    assert expected.high[1] < 0.0
    for low, exact, high in zip(expected.low, sums, expected.high, strict=True):
        assert low <= exact <= high
        assert high - low <= float(abs(exact)) / 4


@pytest.mark.parametrize(
    ("count", "products", "reach"), [(1, False, 0.0), (2, False, 0.5), (2, True, 1.0), (3, False, 1.0)]
)
def test_bounds_of_sums_are_as_wide_as_their_roundings(count: int, products: bool, reach: float) -> None:
    """In units of the last place of one, and some more for what is next to zero."""
    one = np.array([Fraction(1)], object)
    expected = bounded(one, one, count, "f32", products=products)
    assert expected.low is not None
    assert expected.high is not None
    unit = 2.0**-23
    assert float(1 - expected.low[0]) == pytest.approx(reach * unit, rel=1e-3, abs=unit / 1000)
    assert float(expected.high[0] - 1) == pytest.approx(reach * unit, rel=1e-3, abs=unit / 1000)


@pytest.mark.parametrize("element", ["f32", "complex<f32>"])
@pytest.mark.parametrize("lower", [True, False])
def test_one_triangle_is_bounded_and_anything_may_be_in_the_other(lower: bool, element: str) -> None:
    value = np.arange(18).reshape(2, 3, 3).astype(element_type(element).dtype)
    low, high = ([np.zeros, np.ones][n]((2, 3, 3, 2) if "complex" in element else (2, 3, 3)) for n in (0, 1))
    found = _one_triangle(Expected(value, element, "bounds", low=low, high=high), lower)
    assert found.low is not None
    assert found.high is not None
    for row, column in np.ndindex(3, 3):
        is_open = column > row if lower else column < row
        assert (found.low[:, row, column] == (-np.inf if is_open else 0)).all()
        assert (found.high[:, row, column] == (np.inf if is_open else 1)).all()
    exact = Expected(value, element)
    assert _one_triangle(exact, lower) is exact


def test_a_case_that_breaks_the_specification_is_named_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def broken(module: object) -> list[Diagnostic]:
        asked.append(str(module))
        return [Diagnostic("error", "a.py:1:1", "C1 does not hold"), Diagnostic("error", "", "nor does C2")]

    monkeypatch.setattr(catalog, "broken_constraints", broken)
    first = next(iter(cases(Choice(ops=("abs",), types=("i8",)))))
    assert asked == []
    with pytest.raises(VerificationError) as raised:
        next(iter(cases(Choice(ops=("abs",), types=("i8",), verify_spec=True))))
    assert [(each.location, each.message) for each in raised.value.diagnostics] == [
        ("", f"{first.name}: C1 does not hold"),
        ("", f"{first.name}: nor does C2"),
    ]
    assert "stablehlo.abs" in asked[0]
    monkeypatch.setattr(catalog, "broken_constraints", lambda _: [])
    assert next(iter(cases(Choice(ops=("abs",), types=("i8",), verify_spec=True)))).name == first.name


@pytest.mark.parametrize("op", [*TRANSCENDENTAL])
def test_operands_next_to_one_are_tried_and_those_next_to_zero_where_a_function_has_them(
    op: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_ties, "COUNT", 1)
    monkeypatch.setattr(near_ties, "_MANY", 3)
    (case,) = near_ties.of_one(op, Draw(types=("f64",)))
    (operand,) = case.inputs
    assert (case.op, case.type, operand.dtype) == (op, "f64", np.float64)
    assert {*near_ties._NEXT_TO_ONE} <= {*operand.tolist()}
    assert ({*near_ties._NEXT_TO_ZERO} <= {*operand.tolist()}) == (op not in ("log", "rsqrt", "sqrt"))
    large = [number for number in operand.tolist() if abs(number) > 2.0**19]
    assert bool(large) == (op in ("sine", "cosine", "tan")) or op in near_ties.HARDEST
    assert list(near_ties.of_one(op, Draw(types=("f32",)))) == []


@pytest.mark.parametrize("element", FLOATS)
def test_results_that_a_type_lacks_are_rounded_without_a_warning(element: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = array_of([math.nan, math.inf, -math.inf, Fraction(10) ** 400, Fraction(1, 10**400)], element, (5,))
    assert (found.shape, found.dtype) == ((5,), element_type(element).dtype)
    if element not in FINITE_ONLY:
        assert np.isnan(found.astype(np.float64)[0])
    assert found.astype(np.float64)[4] == 0


def test_powers_of_two_are_converted_to_floats_that_hold_them() -> None:
    found = list(conversion.convert("convert", Draw(types=tuple(POWERS))))
    assert [case.expected[0].element for case in found if case.kind == found[0].kind] == FLOATS[5:]
    for case in found:
        assert case.type == POWERS[0]
        exact = [2.0**power for power in range(-5, 5)]
        assert case.inputs[0].astype(np.float64).tolist() == exact
        assert set(case.expected[0].value.astype(np.float64).tolist()) <= {*exact, 2.0**-5, 0.0, math.inf}


def test_a_program_without_the_op_has_no_edges() -> None:
    case = next(iter(cases(Choice(ops=("slice",), types=("i8",), level="smoke"))))
    context = make_context()
    assert list(_edges(case, context)) != []
    assert list(_edges(replace(case, op="reverse"), context)) == []


@pytest.mark.parametrize(("name", "bits"), [("f32", np.uint32), ("f64", np.uint64)])
def test_special_values_have_both_sides_of_every_edge_of_a_format(name: str, bits: type[np.unsignedinteger]) -> None:
    """Between zero, denormal, normal and infinite numbers, around one, and NaN, with both signs."""
    values = special_values(name)
    found = {int(value) for value in values.view(bits)}
    info = np.finfo(values.dtype)
    mantissa, sign = 1 << info.nmant, 1 << (info.bits - 1)
    one = int(values.dtype.type(1).view(bits))
    infinity = int(values.dtype.type(np.inf).view(bits))
    edges = {0, 1, mantissa - 1, mantissa, one - 1, one, one + 1, infinity - 1, infinity}
    assert not {edge | extra for edge in edges for extra in (0, sign)} - found
    is_nan = np.isnan(values)
    assert set(np.signbit(values[is_nan]).tolist()) == {True, False}


def drawn(element: str, count: int = 40, **tame: bool) -> list[np.ndarray]:
    """Parts of many draws, which are real, in double precision."""
    found = [values(Random(seed), (20, 2), element, **tame) for seed in range(count)]
    for array in found:
        assert (array.shape, array.dtype) == ((20, 2), element_type(element).dtype)
    flat = [wide(array).reshape(-1) for array in found]
    return [np.concatenate([array.real, array.imag]) if element in COMPLEX else array for array in flat]


@pytest.mark.parametrize("element", [name for name in ELEMENTS if name not in ("i2", "ui2")])
def test_tame_values_are_small_whole_numbers(element: str) -> None:
    found = np.concatenate(drawn(element, tame=True))
    if element == "i1":
        lowest, highest = 0, 1
    elif element in INTEGERS:
        lowest, highest = (0, 7) if element in UNSIGNED else (-8, 7)
    else:
        lowest, highest = -4, 4
    assert (found.min(), found.max()) == (lowest, highest)
    assert set(found.tolist()) == set(range(lowest, highest + 1)) or element in FINITE_ONLY


@pytest.mark.parametrize("element", ["i1", "i8", "ui8", "i16", "i32", "ui32", "i64", "ui64"])
def test_integers_are_small_in_some_draws_and_of_every_size_in_others(element: str) -> None:
    draws = drawn(element)
    assert [each.tolist() for each in draws] == [each.tolist() for each in drawn(element, tame=False)]
    small = [each for each in draws if np.abs(each).max() <= 8]
    if element == "i1":
        assert len(small) == len(draws)
        return
    assert 0 < len(small) < len(draws)
    bits = element_type(element).bits
    largest = np.abs(np.concatenate(draws)).max()
    assert largest > 2.0 ** (bits - (1 if element in UNSIGNED else 2)) * 0.9
    assert (np.concatenate(small).min() < 0) == (element not in UNSIGNED)


@pytest.mark.parametrize("element", ["bf16", "f16", "f32", "f64", *COMPLEX])
def test_special_values_are_among_floats_unless_they_are_tame(element: str) -> None:
    found = np.concatenate(drawn(element))
    assert found.tobytes() == np.concatenate(drawn(element, tame=False)).tobytes()
    for kind in (np.isnan, np.isposinf, np.isneginf, lambda x: (x == 0) & np.signbit(x)):
        assert 0.01 < kind(found).mean() < 0.08, "about three of a hundred"
    usual = found[np.isfinite(found) & (found != 0) & (np.abs(found) < 1e30) & (np.abs(found) > 1e-8)]
    for share, is_there in (
        (usual < 0, 0.3),
        (usual > 0, 0.3),
        (np.abs(usual) > 1000, 0.05),
        (np.abs(usual) < 0.01, 0.05),
    ):
        assert share.mean() > is_there
    assert np.abs(usual).max() <= 10.0**4


@pytest.mark.parametrize("tame", [True, False])
def test_both_parts_of_complex_numbers_are_drawn(tame: bool) -> None:
    found = values(Random(1), (100,), "complex<f64>", tame=tame)
    assert (found.real == found.imag).mean() < 0.5
    assert not np.array_equal(np.isnan(found.real), np.isnan(found.imag)) or tame


@pytest.mark.parametrize("element", ["i1", "i2", "ui4", "i8", "ui8", "f8E4M3FN", "f8E5M2", "bf16", "i32", "ui64"])
@pytest.mark.parametrize("fold", FOLDS)
def test_an_identity_changes_nothing_when_it_is_combined(fold: str, element: str) -> None:
    if element not in BINARY[fold]:
        return
    neutral = identity(fold, element)
    assert (neutral.shape, neutral.dtype) == ((), element_type(element).dtype)
    if element in FLOATS:
        every = wide(every_value(element))
        every = every[~np.isnan(every)]
        operation = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}[fold]
        assert np.array_equal(operation(every, wide(neutral)), every)
        return
    bits = element_type(element).bits
    numbers = every_value(element).tolist() if bits <= 8 else [0, 1, (1 << (bits - 1)) - 1, (1 << bits) - 1]
    for number in wrapped_array(numbers, element).tolist():
        if element == "i1":
            assert BOOLEAN_BINARY[fold](number, bool(neutral)) is number
        else:
            (combined,) = wrapped_array([INTEGER_BINARY[fold](number, int(neutral), bits)], element).tolist()
            assert combined == number


@pytest.mark.parametrize(("op", "signs"), [("sqrt", {1.0}), ("tanh", {1.0, -1.0})])
def test_near_ties_are_of_all_sizes(op: str, signs: set[float]) -> None:
    (case,) = [case for case in cases(Choice(ops=(op,), types=("f64",))) if case.kind == "near ties"]
    operand = case.inputs[0]
    assert operand.size > 100
    assert set(np.sign(operand)) == signs
    assert np.abs(operand).min() < 1e-200
    assert np.abs(operand).max() > 1e200


@pytest.mark.parametrize(("element", "least"), [("f32", -149), ("f64", -1074), ("bf16", -133)])
def test_a_denormal_sum_is_no_zero(element: str, least: int) -> None:
    for count in (1, 3):
        one = Fraction(1, 1 << -least - 6)
        sums = np.array([one, -one], object)
        found = bounded(sums, abs(sums), count, element)
        assert found.low is not None
        assert found.high is not None
        assert (found.low[0] > 0, found.high[1] < 0) == (True, True), (found.low, found.high)


@pytest.mark.parametrize("op", ["cholesky", "fft", "triangular_solve"])
def test_cases_of_one_type_are_those_among_all(op: str) -> None:
    drawn = [(case.type, case.name) for case in cases(Choice(ops=[op], level="smoke"))]
    types = {type_ for type_, _ in drawn}
    assert len(types) > 1
    for type_ in sorted(types):
        found = [case.name for case in cases(Choice(ops=[op], types=[type_], level="smoke"))]
        assert found == [name for each, name in drawn if each == type_], type_
