"""How many neighbours of a result are allowed: as many units as the profile, the op or the engine's type says."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest
from enclosures import program, reduced
from parsed import parsed

from stablehlo_py.bindings.types import element_type
from stablehlo_py.debug import examine
from stablehlo_py.debug.allowed.enclosures import Allowed, Question
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import PROFILES, Accuracy, around, profile
from stablehlo_py.debug.programs.slices import run_ops
from stablehlo_py.errors import UsageError
from stablehlo_py.interpreter.element_types.ulp import epsilon

F = np.float32
REACH = 70


def enclosures(text: str, operands: Sequence[np.ndarray], element: str = "", how: str = "default") -> list[Allowed]:
    """What an engine whose floats are of an element type may give for the last op of a program."""
    subject = examine(parsed(text))
    op, values = subject.ops[-1], dict(zip(subject.block.arguments, operands, strict=True))
    values |= run_ops(Local(), subject.extractor, subject.ops, values, isolated=False)[0]
    wanted = [values[result] for result in op.results]
    types = [element_type(element).dtype if element else one.dtype for one in wanted]
    return allowed(Question(op, values, wanted, types, subject.extractor, list(op.results), PROFILES[how]))


def steps(value: np.ndarray, units: int) -> np.ndarray:
    """Neighbours of finite numbers that are not zero, so many units away from zero."""
    return (value.view(f"i{value.dtype.itemsize}") + units).view(value.dtype)


def units_allowed(found: Allowed, exact: np.ndarray, dtype: np.dtype) -> list[list[int]]:
    """The neighbours of the number that is nearest to an exact one, which are allowed, for each element."""
    nearest = np.asarray(exact, np.float64).astype(dtype)
    inside = np.stack([~found.outside(steps(nearest, units)) for units in range(-REACH, REACH + 1)], -1)
    return [(np.flatnonzero(each) - REACH).tolist() for each in inside.reshape(-1, 2 * REACH + 1)]


def within(exact: np.ndarray, dtype: np.dtype, units: float, *, rounded: bool = False) -> list[list[int]]:
    """The neighbours within some units of exact numbers, by the definition; the ends are `rounded` outward."""
    nearest = np.asarray(exact, np.float64).astype(dtype).astype(np.longdouble)
    unit = np.abs(steps(nearest.astype(dtype), 1).astype(np.longdouble) - nearest)
    off = np.sign(nearest) * (np.asarray(exact, np.longdouble) - nearest) / unit
    ends = off - units, off + units
    low, high = (np.floor(ends[0]), np.ceil(ends[1])) if rounded else (np.ceil(ends[0]), np.floor(ends[1]))
    return [list(range(int(a), int(b) + 1)) for a, b in zip(low.reshape(-1), high.reshape(-1), strict=True)]


X = np.linspace(0.31, 0.47, 7)
FUNCTIONS = {
    "tanh": np.tanh, "exponential": np.exp, "log": np.log, "rsqrt": lambda x: 1 / np.sqrt(x), "sqrt": np.sqrt,
    "sine": np.sin, "log_plus_one": np.log1p, "cbrt": np.cbrt, "logistic": lambda x: 1 / (1 + np.exp(-x)),
}  # fmt: skip
# The units that the sentence of each profile says, half a unit of the correct rounding included where it counts from
# the rounded value.
UNITS = {
    "strict": {"logistic": (3.0, 3.0, 3.0)},
    "default": {"logistic": (9.5, 9.5, 3.5)},
    "xla": {
        "exponential": (6.5, 1.5, 1.5), "tanh": (3.5, 4.5, 1.5), "log": (1.5, 1.5, 1.5), "rsqrt": (1.5, 1.5, 1.5),
        "sqrt": (1.5, 1.5, 1.5), "log_plus_one": (1.5, 1.5, 1.5), "logistic": (13.5, 3.5, 3.5),
    },
}  # fmt: skip
USUAL = {"strict": (1.0, 1.0, 1.0), "default": (4.5, 4.5, 1.5), "xla": (4.5, 4.5, 1.5)}


@pytest.mark.parametrize("how", PROFILES)
@pytest.mark.parametrize("element", ["f32", "f64", "f16", "bf16"])
def test_functions_are_as_accurate_as_the_profile_says(how: str, element: str) -> None:
    dtype = element_type(element).dtype
    x = X.astype(dtype)
    for name, function in FUNCTIONS.items():
        text = program([f"7x{element}"], f"7x{element}", f"stablehlo.{name} %0 : tensor<7x{element}>")
        (found,) = enclosures(text, [x], how=how)
        units = UNITS[how].get(name, USUAL[how])[("f32", "f64").index(element) if element[1:] in ("32", "64") else 2]
        exact = function(x.astype(np.longdouble))
        given = units_allowed(found, exact, dtype)
        least, most = (within(exact, dtype, units + change) for change in (-0.02, 0.02))
        assert all(set(a) <= set(b) <= set(c) for a, b, c in zip(least, given, most, strict=True)), (name, given, most)
        assert found.sentence == PROFILES[how].sentence


@pytest.mark.parametrize("engine", ["bf16", "f16"])
@pytest.mark.parametrize(("how", "units"), [("strict", 1.0), ("default", 1.5), ("xla", 1.5)])
def test_an_engine_with_fewer_digits_may_give_their_neighbours(engine: str, how: str, units: float) -> None:
    dtype = element_type(engine).dtype
    x = X.astype(dtype).astype(F)
    for name in ("tanh", "sine"):
        text = program(["7xf32"], "7xf32", f"stablehlo.{name} %0 : tensor<7xf32>")
        (found,) = enclosures(text, [x], engine, how)
        exact = FUNCTIONS[name](x.astype(np.longdouble))
        assert units_allowed(found, exact, dtype) == within(exact, dtype, units, rounded=True), name


ARITHMETIC = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}


@pytest.mark.parametrize("engine", ["bf16", "f16", "f32", "f64"])
@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic_is_rounded_to_nearest_in_the_engines_type(name: str, engine: str) -> None:
    dtype = element_type(engine).dtype
    narrow = dtype if engine != "f64" else F
    a, b = (np.array(one).astype(narrow).astype(F) for one in ([1.7, -0.3, 2.1, 0.77], [0.313, 0.417, -7.3, 0.111]))
    (found,) = enclosures(program(["4xf32"] * 2, "4xf32", f"stablehlo.{name} %0, %1 : tensor<4xf32>"), [a, b], engine)
    exact = ARITHMETIC[name](a.astype(np.longdouble), b.astype(np.longdouble))
    rounded = ARITHMETIC[name](a, b)
    if engine != "f64":
        assert units_allowed(found, exact, dtype) == [[0]] * 4
    else:  # the result of f64, or that of f32 in it, or what is between
        for value in (exact.astype(np.float64), rounded.astype(np.float64)):
            assert not found.outside(value).any()
        assert found.outside(rounded + 2 * (rounded - exact).astype(np.float64)).any()
        assert found.outside(steps(np.where(exact > rounded, exact, rounded).astype(np.float64), 3)).any()
    assert "rounded to nearest" in found.sentence


@pytest.mark.parametrize(("source", "target"), [("f64", "f32"), ("f32", "bf16"), ("f32", "f16"), ("i32", "f32")])
def test_conversions_may_give_both_neighbours_and_no_other(source: str, target: str) -> None:
    before, after = element_type(source).dtype, element_type(target).dtype
    values = np.array([1.0, 0.3, -0.7, 5.0]) if source[0] == "f" else np.array([1, 16777217, -33554435, 7])
    text = program([f"4x{source}"], f"4x{target}", f"stablehlo.convert %0 : (tensor<4x{source}>) -> tensor<4x{target}>")
    (found,) = enclosures(text, [values.astype(before)])
    exact = values.astype(before).astype(np.longdouble)
    allowed_ones = units_allowed(found, exact, after)
    down = exact.astype(np.float64).astype(after).astype(np.longdouble)
    for each, value, nearest in zip(allowed_ones, exact, down, strict=True):
        other = [] if value == nearest else [1] if abs(value) > abs(nearest) else [-1]
        assert each == sorted([0, *other]), value


@pytest.mark.parametrize("name", ["negate", "floor", "abs", "transpose", "maximum", "select", "remainder"])
@pytest.mark.parametrize("engine", ["bf16", "f32", "f64"])
def test_exact_ops_have_one_value_in_every_type(name: str, engine: str) -> None:
    dtype = element_type(engine).dtype
    a = np.array([[1.75, -0.625], [2.5, 0.75]], F)
    type_ = "tensor<2x2xf32>"
    line = {
        "transpose": f"stablehlo.transpose %0, dims = [1, 0] : ({type_}) -> {type_}",
        "maximum": f"stablehlo.maximum %0, %0 : {type_}",
        "remainder": f"stablehlo.remainder %0, %0 : {type_}",
        "select": f"stablehlo.clamp %0, %0, %0 : {type_}",
    }.get(name, f"stablehlo.{name} %0 : {type_}")
    (found,) = enclosures(program(["2x2xf32"], "2x2xf32", line), [a], engine)
    value = np.asarray(found.value, np.float64).astype(dtype)
    assert not found.outside(value).any()
    tiny = np.where(value == 0, dtype.type(1), steps(value, 1)).astype(dtype)
    assert found.outside(tiny).all()


def reaches(found: Allowed, exact: np.ndarray) -> list[tuple[float, float]]:
    """How far below and above each element of a result in double precision is allowed: real parts of complex ones."""
    ends = []
    for sign in (-1, 1):
        low, high = np.zeros(exact.shape), np.ones(exact.shape)
        for _ in range(60):
            middle = (low + high) / 2
            is_inside = ~found.outside(exact + sign * middle)
            low, high = np.where(is_inside, middle, low), np.where(is_inside, high, middle)
        ends.append(low.reshape(-1).tolist())
    return list(zip(*ends, strict=True))


@pytest.mark.parametrize(
    "terms",
    [[1.0] * 8, [3, 0.5, 0.25, 2, 7, 1.5, 0.125, 1], [4, -1, -1, -1], [-5, 1, 1], [2, 1], [1, -1], [2]],
    ids=str,
)
def test_sums_are_off_by_a_roundoff_of_each_partial_sum(terms: list[float]) -> None:
    """By no more than the partial sums of the worst order, and than a roundoff of all magnitudes for each addition."""
    rows = np.array([terms, terms[::-1]], F)
    (found,) = enclosures(reduced("add", rows, "f32"), [rows, np.zeros((), F)])
    signs = [np.sort(np.maximum(sign * rows[0], 0))[::-1] for sign in (1, -1)]
    partial = np.maximum(*[np.cumsum(one) for one in signs])[1:].sum()
    bound = 2.0**-24 * min(partial, (len(terms) - 1) * np.abs(rows[0]).sum())
    for below, above in reaches(found, np.full(2, rows[0].sum(), np.float64)):
        assert below == pytest.approx(above, rel=1e-6, abs=1e-14)
        assert above * 2**24 == pytest.approx(bound * 2**24, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("engine", ["bf16", "f16"])
@pytest.mark.parametrize("terms", [[1.0, 2.0, 4.0], [3.0, -1.0, 0.5, 0.25]])
def test_sums_in_a_narrower_type_round_terms_and_sum_as_well(engine: str, terms: list[float]) -> None:
    dtype, rows, count = element_type(engine).dtype, np.array([terms], F), len(terms) + 3  # the initial value is one
    (found,) = enclosures(reduced("add", rows, "f32"), [rows, np.zeros((), F)], engine)
    exact, sizes = rows[0].sum(dtype=float), np.abs(rows[0]).sum(dtype=float)
    epsilon = float(ml_dtypes.finfo(dtype).eps)
    roundoff = epsilon / 2
    bound = roundoff * count * (sizes + abs(exact)) / 2 * (1 + 2 * count * roundoff)
    ((below, above),) = reaches(found, np.array([exact]))
    low, high = exact - bound, exact + bound  # rounded outward to values of the type
    units = [epsilon * 2 ** np.floor(np.log2(abs(end))) for end in (low, high)]
    assert below == pytest.approx(exact - np.floor(low / units[0]) * units[0], rel=1e-9)
    assert above == pytest.approx(np.ceil(high / units[1]) * units[1] - exact, rel=1e-9)


DOT = "stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]{extra} : (tensor<2x4x{e}>, tensor<4x3x{e}>) -> "
NAMED = (
    ", algorithm = <lhs_precision_type = {0}, rhs_precision_type = {0}, accumulation_type = f32, "
    "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = {1}, "
    "allow_imprecise_accumulation = false>"
)


def contraction(element: str, extra: str = "") -> tuple[np.ndarray, np.ndarray, Allowed]:
    """Two matrices, and what their product may be."""
    random, dtype = np.random.default_rng(5), element_type(element).dtype
    turn = np.exp(1j * random.uniform(0, 6, (4, 3))) if dtype.kind == "c" else 1
    lhs, rhs = random.uniform(0.5, 1, (2, 4)).astype(dtype), (random.uniform(0.5, 1, (4, 3)) * turn).astype(dtype)
    line = DOT.format(e=element, extra=extra) + f"tensor<2x3x{element}>"
    (found,) = enclosures(program([f"2x4x{element}", f"4x3x{element}"], f"2x3x{element}", line), [lhs, rhs])
    return lhs, rhs, found


@pytest.mark.parametrize(
    ("extra", "units"),
    [
        ("", 2),  # half a unit for each of three additions and a product
        (NAMED.format("f32", 1), 2),
        (NAMED.format("bf16", 1), 2 + 3 * 2.0**-8 * 2.0**23),
        (NAMED.format("bf16", 3), 2 + 3 * 2.0**-15 * 2.0**23),
        (NAMED.format("bf16", 6), 2 + 3 * 2.0**-22 * 2.0**23),
        (NAMED.format("tf32", 1), 2 + 3 * 2.0**-11 * 2.0**23),
        (NAMED.format("tf32", 3), 2 + 3 * 2.0**-20 * 2.0**23),
    ],
)
def test_contractions_are_off_by_so_many_units_of_their_magnitudes(extra: str, units: float) -> None:
    """Several rows and columns have bounds of their own."""
    lhs, rhs, found = contraction("f32", extra)
    exact = lhs.astype(np.float64) @ rhs.astype(np.float64)
    sizes = np.abs(lhs.astype(np.float64)) @ np.abs(rhs.astype(np.float64))
    for (below, above), size in zip(reaches(found, exact), sizes.reshape(-1), strict=True):
        assert (below + above) / 2 / (size * 2.0**-23) == pytest.approx(units, rel=1e-3)


def test_each_part_of_a_complex_sum_has_roundings_of_products_and_additions_of_both_parts() -> None:
    lhs, rhs, found = contraction("complex<f32>")
    exact = lhs.astype(np.complex128) @ rhs.astype(np.complex128)
    sizes = 2 * (np.abs(lhs.astype(np.complex128)) @ np.abs(rhs.astype(np.complex128)))  # two products in each part
    for turned, parts in ((1.0, exact.real), (1j, exact.imag)):
        bounds = (6 * (sizes + np.abs(parts)) / 2 + sizes) * 2.0**-24  # four additions and two conversions
        for sign in (1, -1):
            assert not found.outside(exact + sign * turned * bounds * 0.999).any()
            for place in np.ndindex(exact.shape):
                given = exact.copy()
                given[place] += sign * turned * bounds[place] * 1.001
                assert np.argwhere(found.outside(given)).tolist() == [list(place)]


def test_accuracies_that_ops_state_are_held_in_place_of_the_profile() -> None:
    form = "#stablehlo.result_accuracy<atol = {}, rtol = {}, ulps = {}, mode = #stablehlo.result_accuracy_mode<{}>>"
    x, type_ = F([0.3, 30.0, 0.7]), "tensor<3xf32>"
    exact = np.exp(x.astype(np.longdouble))
    unit = np.spacing(exact.astype(F)).astype(np.longdouble)
    for atol, rtol, ulps, mode in (
        ("0.0", "0.0", 0, "DEFAULT"),
        ("0.0", "0.0", 0, "HIGHEST"),
        ("0.0", "0.0", 12, "TOLERANCE"),
        ("1.0e-3", "0.0", 0, "TOLERANCE"),
        ("0.0", "1.0e-3", 0, "TOLERANCE"),
        ("1.0e-3", "1.0e-4", 2, "TOLERANCE"),
        ("0x7FF8000000000000", "1.0e-4", 2, "TOLERANCE"),
    ):
        line = f'"stablehlo.exponential"(%0) {{result_accuracy = {form.format(atol, rtol, ulps, mode)}}}'
        (found,) = enclosures(program(["3xf32"], "3xf32", f"{line} : ({type_}) -> {type_}"), [x])
        absolute = float(atol) if atol[:2] != "0x" else 0.0
        units = {"DEFAULT": 4.5, "HIGHEST": 1.0}.get(mode, ulps)
        bound = np.maximum(units * unit, np.maximum(absolute, float(rtol) * exact))
        for sign in (1, -1):
            inside, beyond = (exact + sign * (bound + change * unit) for change in (-0.6, 1.1))
            inside = np.where(bound < unit, exact, inside)
            assert not found.outside(inside.astype(F)).any(), (atol, rtol, ulps, mode)
            assert found.outside(beyond.astype(F)).all(), (atol, rtol, ulps, mode)
        assert ("result_accuracy" in found.sentence) == (mode != "DEFAULT")
        assert ("HIGHEST" in found.sentence) == (mode == "HIGHEST")
        if mode == "TOLERANCE":
            assert f"atol {absolute:g}, rtol {float(rtol):g}, {ulps} ULP" in found.sentence


def test_profiles_have_names_and_others_are_refused() -> None:
    assert [profile(name).name for name in PROFILES] == ["strict", "default", "xla"]
    with pytest.raises(UsageError, match="unknown profile 'lax'") as caught:
        profile("lax")
    assert list(caught.value.notes) == ["the profiles are strict, default, xla"]


@pytest.mark.parametrize(("how", "flushes"), [("strict", False), ("default", True), ("xla", True)])
def test_denormal_numbers_may_be_zeros_unless_the_profile_is_strict(how: str, flushes: bool) -> None:
    tiny, smallest = F(1e-40), np.finfo(F).smallest_normal
    type_ = "tensor<3xf32>"
    text = program(["3xf32"], "3xf32", f"stablehlo.multiply %0, %0 : {type_}")
    (results,) = enclosures(text, [F([1e-20, 2e-19, 1e-20])], how=how)
    assert results.outside(F([0, 0, -0.0])).tolist() == [not flushes, True, not flushes]
    text = program(["3xf32"], "3xf32", f"stablehlo.rsqrt %0 : {type_}")
    (operands,) = enclosures(text, [F([tiny, smallest, 1])], how=how)
    assert operands.outside(F([np.inf, np.inf, 1])).tolist() == [not flushes, True, False]
    assert not operands.outside((1 / np.sqrt(np.float64([tiny, smallest, 1]))).astype(F)).any()


@pytest.mark.parametrize("target", ["f8E4M3FN", "f8E5M2FNUZ", "f6E3M2FN", "f4E2M1FN"])
def test_the_largest_number_of_a_type_without_infinity_is_converted_to_itself(target: str) -> None:
    after = element_type(target).dtype
    largest = float(ml_dtypes.finfo(after).max)
    values = np.array([largest, -largest, np.nextafter(np.float32(largest), np.float32(np.inf)), 1.0], np.float32)
    text = program(["4xf32"], f"4x{target}", f"stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4x{target}>")
    (found,) = enclosures(text, [values])
    below = np.nextafter(np.array([largest, -largest, largest, 1.0]).astype(after), np.zeros(4, after))
    assert found.outside(below).tolist() == [True, True, False, True]


@pytest.mark.parametrize("element", ["f32", "f64", "complex<f32>", "complex<f64>", "bf16", "f16", "f8E5M2"])
def test_units_of_functions_are_those_of_their_type(element: str) -> None:
    budgets = {"exponential": (6.0, 1.0), "tanh": (3.0, 4.0), "erf": (2.0, 1.0), "sqrt": (1.0, 1.0), "sine": (4.0, 4.0)}
    for function, units in budgets.items():
        wanted = 1.0 if element in ("bf16", "f16", "f8E5M2") else units["64" in element]
        assert PROFILES["xla"].whole_units(function, element) == wanted, function
    exponential = PROFILES["xla"].whole_units("exponential", element)
    logistic = PROFILES["xla"].whole_units("logistic", element)
    assert logistic == (4.0 if element.startswith("complex") else 2 * exponential + 1)


@pytest.mark.parametrize("dtype", [np.dtype(F), np.dtype(np.float64), np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize(
    ("units", "absolute", "relative"),
    [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (1.0, 0.0, 0.0), (4.5, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.02),
     (1.0, 0.03, 0.001), (0.0, 0.001, 0.03)],
)  # fmt: skip
def test_a_function_has_the_largest_of_its_errors_and_always_the_nearest_value(
    dtype: np.dtype, units: float, absolute: float, relative: float
) -> None:
    thirds = np.array([1, 2, 4, 5, -1, -2, -4, -5, 100], np.longdouble) / 3
    exact = np.concatenate([thirds, np.array([1, -1.5, 0, np.inf, -np.inf, np.nan], np.longdouble)])
    with np.errstate(all="ignore"):
        low, high = around(exact, dtype, Accuracy(units, "", absolute, relative))
    step = np.longdouble(2) ** (np.floor(np.log2(np.abs(thirds))) + np.log2(np.longdouble(epsilon(dtype))))
    reach = np.maximum(units * step, np.maximum(absolute, relative * np.abs(thirds)))
    nearest = np.rint(thirds / step) * step
    for found, side in ((low, -1), (high, 1)):
        ends = np.maximum(side * (thirds + side * reach), side * nearest) * side
        assert (side * (found[:9] - ends) >= 0).all(), (found[:9], ends)  # the exact value itself is computed
        assert (np.abs(found[:9] - ends) <= np.longdouble(2) ** -58 * np.abs(thirds)).all(), (found[:9], ends)
        is_reach = side * (ends - nearest) > 0
        assert (side * (found[:9] - ends) >= np.longdouble(2) ** -61 * np.abs(thirds))[is_reach].all(), (found, ends)
    assert ((low[9:12] <= exact[9:12]) & (exact[9:12] <= high[9:12])).all()
    np.testing.assert_array_equal(low[12:], exact[12:])
    np.testing.assert_array_equal(high[12:], exact[12:])
