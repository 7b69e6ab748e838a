"""Units in the last place: every value of the types up to 16 bits, and properties of f32 and f64."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablehlo_py.bindings.types import element_type
from stablehlo_py.conformance.case import Case, Expected
from stablehlo_py.conformance.generate.values import FLOATS, POWERS, every_value, wide
from stablehlo_py.conformance.oracle import rounding as oracle
from stablehlo_py.conformance.score.scoring import judge
from stablehlo_py.debug.allowed.measures import EXACT, Tolerance, difference
from stablehlo_py.interpreter import check
from stablehlo_py.interpreter.element_types.ulp import INCOMPARABLE, distance, error, largest, ordinals, spacing

NARROW = [name for name in [*FLOATS, *POWERS] if element_type(name).bits <= 16]
WIDE = st.sampled_from(["f32", "f64"])
BITS = st.integers(0, 2**64 - 1)


def ascending(name: str) -> np.ndarray:
    """All numbers of a type in their order as doubles, each once: the zero is the positive one."""
    values = every_value(name)
    doubles = wide(values)
    kept = ~np.isnan(doubles) & ~((doubles == 0) & np.signbit(doubles))
    return values[kept][np.argsort(doubles[kept])]


def apart(lhs: np.ndarray, rhs: np.ndarray) -> list[int]:
    return distance(lhs, rhs).tolist()


def of_bits(name: str, *bits: int) -> list[np.ndarray]:
    """A value of a type for each number of 64 bits, from its upper ones."""
    width = element_type(name).bits
    return [np.array([each >> (64 - width)], f"u{width // 8}").view(element_type(name).dtype) for each in bits]


@pytest.mark.parametrize("name", NARROW)
def test_neighbours_are_one_apart(name: str) -> None:
    values = ascending(name)
    assert set(apart(values[1:], values[:-1])) == {1}
    assert set(np.diff(ordinals(values)).tolist()) == {1}


@pytest.mark.parametrize("name", NARROW)
def test_distances_count_the_values_between(name: str) -> None:
    values = ascending(name)
    random = np.random.default_rng(0)
    first, second = (random.integers(0, values.size, 5000) for _ in range(2))
    assert apart(values[first], values[second]) == np.abs(first - second).tolist()
    assert apart(values[second], values[first]) == np.abs(first - second).tolist()


@pytest.mark.parametrize("name", NARROW)
def test_zeros_are_one_value_and_nan_is_none(name: str) -> None:
    values = every_value(name)
    doubles = wide(values)
    zeros, nans = values[doubles == 0], values[np.isnan(doubles)]
    one = np.ones(1, values.dtype)
    assert apart(zeros, zeros[::-1]) == [0] * zeros.size
    assert apart(nans, nans[::-1]) == [0] * nans.size
    assert apart(nans, one) == apart(one, nans) == [int(INCOMPARABLE)] * nans.size
    expected = {"f8E8M0FNU": (0, 1), "f8E4M3FNUZ": (1, 1)}.get(name)
    assert expected is None or (zeros.size, nans.size) == expected


@pytest.mark.parametrize("name", NARROW)
def test_spacing_is_the_distance_to_the_next_value(name: str) -> None:
    values = ascending(name).astype(np.float64)
    positive = values[np.isfinite(values) & (values > 0)]
    steps = spacing(positive[:-1], element_type(name).dtype)
    assert steps.tolist() == np.diff(positive).tolist()
    assert positive[-1] == largest(element_type(name).dtype)


@pytest.mark.parametrize("name", NARROW)
def test_the_oracle_has_the_same_spacing(name: str) -> None:
    values = ascending(name).astype(np.float64)
    values = values[np.isfinite(values)][:: 1 + values.size // 500]
    own = spacing(values, element_type(name).dtype).tolist()
    assert own == [float(oracle.spacing(oracle.Fraction(value), name)) for value in values.tolist()]


@pytest.mark.parametrize("name", NARROW)
def test_neighbours_differ_by_one_unit_or_half(name: str) -> None:
    """Below a power of two the spacing is half of that at it. Infinity is a neighbour, too."""
    dtype, numbers = element_type(name).dtype, ascending(name).astype(np.float64).astype(np.longdouble)
    below = {1.0} if name == "f8E8M0FNU" else {0.5, 1.0}  # it has powers of two alone
    assert set(error(numbers[1:], numbers[:-1], dtype).tolist()) == below
    assert set(error(numbers[:-1], numbers[1:], dtype).tolist()) == ({0.5} if len(below) == 1 else below)
    assert not error(numbers, numbers, dtype).any()


@given(WIDE, st.tuples(BITS, BITS, BITS))
def test_distances_add_up(name: str, bits: tuple[int, ...]) -> None:
    values = of_bits(name, *bits)
    if any(np.isnan(value).any() for value in values):
        return
    first, between, last = sorted(values, key=lambda value: int(ordinals(value)[0]))
    assert first <= between <= last
    assert apart(first, last) == apart(last, first) == [apart(first, between)[0] + apart(between, last)[0]]


@given(WIDE, BITS)
def test_the_next_value_is_one_apart(name: str, bits: int) -> None:
    (value,) = of_bits(name, bits)
    if np.isnan(value).any() or value == np.inf:
        return
    after = np.nextafter(value, value.dtype.type(np.inf))
    assert apart(value, after) == [1]
    assert float(error(after.astype(np.longdouble), value.astype(np.longdouble), value.dtype)[0]) in (0.5, 1.0)


@given(WIDE, st.tuples(BITS, BITS, BITS, BITS))
def test_complex_numbers_are_as_far_as_the_farther_parts(name: str, bits: tuple[int, ...]) -> None:
    values = np.array(of_bits(name, *bits)).reshape(2, 2)
    kind = f"c{2 * values.itemsize}"
    first, second = (np.ascontiguousarray(pair).view(kind) for pair in values)
    assert apart(first, second) == [max(apart(values[0], values[1]))]


def test_shapes_are_kept() -> None:
    for shape in ((), (0,), (2, 0), (2, 3)):
        for kind in (np.float32, np.complex64):
            assert distance(np.ones(shape, kind), np.zeros(shape, kind)).shape == shape


@pytest.mark.parametrize("name", [name for name in [*NARROW, "f32", "f64"] if element_type(name).has_infinity])
def test_infinity_follows_the_largest_number(name: str) -> None:
    """All count it as one step but `check.expect_close`, whose definition says that nothing is near an infinity."""
    dtype = element_type(name).dtype
    most, infinity = np.array([largest(dtype)]).astype(dtype), np.array([np.inf]).astype(dtype)
    for found, wanted in ((most, infinity), (infinity, most)):
        assert apart(found, wanted) == [1]
        assert check.close(found, wanted, 0, 2**64 - 2)
        assert judge(_case(wanted, name, 1), [found]).verdict == "pass"
        assert judge(_case(wanted, name, 0), [found]).verdict == "wrong"
        assert difference(found, wanted, EXACT).max_ulp == 1
        assert not difference(found, wanted, EXACT).same
        assert difference(found, wanted, Tolerance(ulp=1)).same
    assert not check.close(infinity, infinity, 0, 0)
    assert check.close(infinity, -infinity, 0, 2**64 - 2)
    assert difference(infinity, -infinity, EXACT).max_ulp == math.inf
    assert difference(infinity, np.zeros(1, dtype), EXACT).max_ulp == math.inf


def test_infinity_is_all_that_a_wider_type_has_beyond() -> None:
    infinity = np.float32([np.inf])
    ends = np.float64([2.0**128, 1e300, 2.0**128 - 2.0**103])
    assert [difference(infinity, ends[index : index + 1], EXACT).max_ulp for index in range(3)] == [0, 0, 0.5]


@pytest.mark.parametrize("name", NARROW)
def test_the_check_and_the_score_count_alike(name: str) -> None:
    values = ascending(name)
    values = values[np.isfinite(values.astype(np.float64))][:300]
    for steps in (1, 3):
        found, wanted = values[steps:], values[:-steps]
        assert not check.close(found, wanted, steps, steps)
        assert judge(_case(wanted, name, steps), [found]).ulp == steps
        assert judge(_case(wanted, name, steps - 1), [found]).verdict == "wrong"


def _case(wanted: np.ndarray, name: str, ulp: float) -> Case:
    return Case("add", name, "values", "", (), (Expected(wanted, name, "ulp", ulp),), "the test")


def test_an_infinity_is_far_from_all_but_the_last_numbers() -> None:
    most = float(np.finfo(np.float32).max)
    last = 2.0**127  # of the last power of two
    pairs = [(np.inf, 1.0), (np.inf, -most), (np.inf, last * 0.99), (1.0, np.inf), (-np.inf, most), (np.nan, most)]
    for found, exact in pairs:
        assert error(*np.array([[found], [exact]]), np.dtype(np.float32)).tolist() == [np.inf], (found, exact)
    near = [
        (np.inf, most, 1.0),
        (most, np.inf, 1.0),
        (-np.inf, -most, 1.0),
        (np.inf, np.inf, 0.0),
        (np.nan, np.nan, 0.0),
    ]
    for found, exact, units in near:
        assert error(*np.array([[found], [exact]]), np.dtype(np.float32)).tolist() == [units], (found, exact)
