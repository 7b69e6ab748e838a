"""Arguments that are drawn: different ones that stay the same for a seed, in their ranges, with values at the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import element_type
from stablehlo_py.bindings.walk import functions
from stablehlo_py.debug.programs.inputs import (
    Distribution,
    _index_limit,
    draw_arguments,
    read_distributions,
    special_values,
)
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.debug.validation import Validator
from stablehlo_py.errors import InputError, UsageError


@pytest.mark.parametrize(
    ("text", "index", "found"),
    [
        ("normal", None, Distribution("normal")),
        ("uniform(-2,2.5)", None, Distribution("uniform", -2.0, 2.5)),
        ("0=log", 0, Distribution("log")),
        ("12=uniform(0,7)+special", 12, Distribution("uniform", 0.0, 7.0, special=True)),
        ("(3,3)", None, Distribution("", 3.0, 3.0)),
        ("+special", None, Distribution(special=True)),
        ("1=", 1, Distribution()),
        ("(-1e3,+1e3)", None, Distribution("", -1000.0, 1000.0)),
    ],
)
def test_distributions_are_read(text: str, index: int | None, found: Distribution) -> None:
    assert read_distributions([text]) == {index: found}
    assert read_distributions(["7=ones", text])[7] == Distribution("ones")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("norml", "not a distribution: 'norml'; did you mean normal?"),
        ("0=norml", "did you mean normal?"),
        ("(2,1)", "not a range of numbers"),
        ("(nan,1)", "not a range of numbers"),
        ("(0,inf)", "not a range of numbers"),
        ("(0,x)", "not a range of numbers"),
        ("(0)", "not a distribution"),
        ("-1=normal", "not a distribution"),
        ("normal special", "not a distribution"),
    ],
)
def test_what_is_no_distribution_is_said(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_distributions([text])
    assert said in caught.value.message


def main(arguments: str, body: str = "") -> ir.Operation:
    module = parsed(f"func.func @main({arguments}) {{ {body} return }}")
    found = functions(module.operation)["main"]
    KEPT.append(module)
    return found


KEPT: list[ir.Module] = []  # a function is part of its module


def drawn(arguments: str, seed: int = 0, body: str = "", **given: Distribution) -> list[np.ndarray]:
    by_number = {None if name == "all" else int(name[1:]): how for name, how in given.items()}
    return draw_arguments(main(arguments, body), seed, by_number)


def test_every_argument_and_every_seed_has_numbers_of_its_own() -> None:
    two = "%a: tensor<50xf32>, %b: tensor<50xf32>"
    first, second = drawn(two), drawn(two, seed=1)
    assert len({array.tobytes() for array in (*first, *second)}) == 4
    assert [array.tobytes() for array in drawn(two)] == [array.tobytes() for array in first]
    assert abs(float(np.mean(first[0]))) < 0.6
    assert 0.6 < float(np.std(first[0])) < 1.4


@pytest.mark.parametrize(
    ("element", "how", "low", "high"),
    [
        ("f32", Distribution("uniform"), -1, 1),
        ("f32", Distribution("uniform", 2.0, 3.0), 2, 3),
        ("f32", Distribution("normal", 2.0, 3.0), 2, 3),
        ("f32", Distribution("", 5.0, 5.0), 5, 5),
        ("i32", Distribution(), -100, 100),
        ("ui8", Distribution(), 0, 100),
        ("i2", Distribution(), -2, 1),
        ("i8", Distribution("", -1000.0, 1000.0), -128, 127),
        ("i8", Distribution("", 126.0, 127.0), 126, 127),
        ("f32", Distribution("zeros"), 0, 0),
        ("i4", Distribution("ones"), 1, 1),
    ],
)
def test_numbers_reach_both_ends_of_their_range(element: str, how: Distribution, low: float, high: float) -> None:
    (array,) = drawn(f"%a: tensor<6000x{element}>", all=how)
    assert array.dtype == element_type(element).dtype
    numbers = array.astype(np.float64)
    assert low <= numbers.min() <= low + 0.1 * (high - low)
    assert high - 0.1 * (high - low) <= numbers.max() <= high
    if element.startswith(("i", "u")):
        assert {low, high} <= set(numbers.tolist())


def test_magnitudes_of_a_log_distribution_are_spread_over_the_type() -> None:
    (array,) = drawn("%a: tensor<4000xf32>", all=Distribution("log"))
    exponents = np.log2(np.abs(array.astype(np.float64)))
    assert -126 <= exponents.min() < -110
    assert 110 < exponents.max() <= 128
    assert 0.4 < float(np.mean(array < 0)) < 0.6


@pytest.mark.parametrize("element", ["f32", "bf16", "f8E5M2", "complex<f64>", "i8", "ui64", "i2", "i1"])
def test_a_quarter_of_the_elements_is_special_if_that_is_asked_for(element: str) -> None:
    type_ = element_type(element)
    edges = {value.tobytes() for value in special_values(type_.dtype, type_.kind)}
    assert len(edges) > 1

    def share(how: Distribution) -> float:
        (array,) = drawn(f"%a: tensor<4000x{element}>", all=how)
        return float(np.mean([value.tobytes() in edges for value in array]))

    assert share(Distribution("special")) == 1
    if element not in ("i1", "i2"):
        assert share(Distribution()) < 0.1
        assert 0.2 < share(Distribution(special=True)) < 0.35
    (every,) = drawn(f"%a: tensor<4000x{element}>", all=Distribution("special"))
    assert {value.tobytes() for value in every} == edges


def test_special_values_are_the_edges_of_their_type() -> None:
    values = special_values(np.dtype(np.float32), element_type("f32").kind)
    info = np.finfo(np.float32)
    for wanted in (info.max, info.min, info.smallest_normal, -info.smallest_subnormal, np.inf, -np.inf, 1, -1):
        assert np.float32(wanted) in values
    assert {math.copysign(1, value) for value in values[values == 0]} == {1, -1}
    assert np.isnan(values).any()
    assert special_values(np.dtype(np.int8), element_type("i8").kind).tolist() == [0, 1, -128, 127, 63, -1]
    assert special_values(np.dtype(np.uint64), element_type("ui64").kind).max() == 2**64 - 1


SLICE = """%0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 1]
  : (tensor<3x7xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>"""
UPDATE = """%u = stablehlo.slice %x [0:1, 0:1] : (tensor<3x7xf32>) -> tensor<1x1xf32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j
  : (tensor<3x7xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<3x7xf32>"""
CONVERTED = """%k = stablehlo.convert %i : (tensor<i32>) -> tensor<i64>
  %0 = stablehlo.dynamic_slice %x, %k, %k, sizes = [1, 1]
  : (tensor<3x7xf32>, tensor<i64>, tensor<i64>) -> tensor<1x1xf32>"""
SIZED = """%0 = stablehlo.set_dimension_size %x, %i, dim = 0
  : (tensor<3x7xf32>, tensor<i32>) -> tensor<?x7xf32, #stablehlo.bounds<3, ?>>"""


@pytest.mark.parametrize(
    ("body", "first", "second"),
    [(SLICE, {0, 1, 2}, set(range(7))), (UPDATE, {0, 1, 2}, set(range(7))), (CONVERTED, {0, 1, 2}, None),
     (SIZED, {0, 1, 2, 3}, None)],
)  # fmt: skip
def test_indices_lie_inside_what_they_index(body: str, first: set[int], second: set[int] | None) -> None:
    function = main("%x: tensor<3x7xf32>, %i: tensor<i32>, %j: tensor<i32>", body)
    found = [draw_arguments(function, seed) for seed in range(60)]
    assert {int(each[1]) for each in found} == first
    others = {int(each[2]) for each in found}
    assert others == second if second is not None else min(others) < -9


def test_bounded_sizes_are_drawn_within_their_bounds() -> None:
    type_ = "tensor<?x2xf32, #stablehlo.bounds<3, ?>>"
    sizes = {drawn(f"%a: {type_}", seed)[0].shape for seed in range(40)}
    assert sizes == {(1, 2), (2, 2), (3, 2)}
    with pytest.raises(InputError, match="cannot draw an argument of type"):
        drawn("%a: tensor<?xf32>")
    with pytest.raises(InputError, match="cannot draw an argument of type"):
        drawn("%a: !stablehlo.token")
    with pytest.raises(UsageError, match="for argument 1, but the program has 1, from 0 on"):
        drawn("%a: tensor<2xf32>", _1=Distribution())


@pytest.mark.parametrize("samples", [1, 2, 5])
def test_samples_differ_and_every_second_one_has_special_values(samples: int) -> None:
    text = "func.func @main(%x: tensor<99xf32>) -> tensor<99xf32> { return %x : tensor<99xf32> }"
    validator = Validator(samples=samples, seed=3)
    validator.start(parsed(text))
    found = [arguments[0] for arguments in validator._arguments]
    assert len(found) == samples
    assert len({array.tobytes() for array in found}) == samples
    assert [bool(np.isnan(array).any()) for array in found] == [bool(sample % 2) for sample in range(samples)]


def test_a_change_that_one_sample_shows_is_told_with_that_sample() -> None:
    context = make_context()

    def program(op: str) -> ir.Module:
        text = f"%0 = stablehlo.{op} : tensor<9xf32> return %0 : tensor<9xf32>"
        return ir.Module.parse(f"func.func @main(%x: tensor<9xf32>) -> tensor<9xf32> {{ {text} }}", context)

    validator = Validator(samples=2)
    validator.start(program("maximum %x, %x"))
    assert validator.check(program("maximum %x, %x")) is None
    assert validator.check(program("minimum %x, %x")) is None
    change = validator.check(program("negate %x"))
    assert change is not None
    assert change.message.startswith("result 0[")
    assert change.message.endswith("on inputs 0")
    assert "minimum" in change.before
    assert "negate" in change.after
    broken = validator.check(ir.Module.parse("func.func @main() { return }", context))
    assert broken is not None
    assert "cannot be interpreted any more" in broken.message or "results become" in broken.message


GATHER = """%0 = "stablehlo.gather"(%x, %n) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
    start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}
  : (tensor<3x7xf32>, tensor<40x2xi32>) -> tensor<40xf32>"""
SCATTER = """%0 = "stablehlo.scatter"(%x, %n, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}
  : (tensor<3x7xf32>, tensor<40x2xi32>, tensor<40xf32>) -> tensor<3x7xf32>"""
MOVED = """%m = stablehlo.{} : {}
  %0 = stablehlo.dynamic_slice %y, %m, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>"""
MOVES = {
    "reshape": ("reshape %v", "(tensor<1xi32>) -> tensor<i32>"),
    "add": ("add %i, %i", "tensor<i32>"),
    "clamp": ("clamp %i, %j, %i", "tensor<i32>"),
    "select": ("select %p, %i, %j", "tensor<i1>, tensor<i32>"),
}
PARAMETERS = ("%x: tensor<3x7xf32>, %n: tensor<40x2xi32>, %f: tensor<40xf32>, %y: tensor<5xf32>, %i: tensor<i32>, "
              "%j: tensor<i32>, %v: tensor<1xi32>, %p: tensor<i1>")  # fmt: skip


def highest(body: str, *numbers: int) -> list[tuple[int, int]]:
    function = main(PARAMETERS, body)
    draws = [draw_arguments(function, seed) for seed in range(40)]
    return [(min(int(each[n].min()) for each in draws), max(int(each[n].max()) for each in draws)) for n in numbers]


@pytest.mark.parametrize("body", [GATHER, SCATTER], ids=["gather", "scatter"])
def test_indices_of_elements_lie_inside_the_smallest_dimension(body: str) -> None:
    assert highest(body, 1) == [(0, 2)]


@pytest.mark.parametrize(("op", "numbers"), [("reshape", [6]), ("add", [4]), ("clamp", [4, 5]), ("select", [4, 5])])
def test_indices_are_followed_through_ops_that_pass_them_on(op: str, numbers: list[int]) -> None:
    assert highest(MOVED.format(*MOVES[op]), *numbers) == [(0, 4)] * len(numbers)


def test_indices_are_followed_however_many_ops_pass_them_on() -> None:
    """Also where many values come before the one that is an index."""
    lines = [f"%n{n + 1} = stablehlo.add %n{n}, %n{n} : tensor<i32>" for n in range(1200)]
    body = f"%n0 = stablehlo.add %i, %i : tensor<i32> {' '.join(lines)} {SLICE.replace('%i, %j', '%n1200, %n1200')}"
    assert highest(body, 4) == [(0, 2)]


def test_an_index_of_two_dimensions_fits_the_smaller_one_and_other_operands_are_no_indices() -> None:
    both = f"{SLICE.replace('%i, %j', '%i, %i')} {MOVED.format('negate %j', 'tensor<i32>')}".replace("%0", "%q", 1)
    (first, second) = highest(both, 4, 5)
    assert first == (0, 2)
    assert second[0] < -50
    assert second[1] > 50
    assert highest(UPDATE.replace("%0", "%q"), 4, 5) == [(0, 2), (0, 6)]


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("gather", [None, 3]),
        ("scatter", [None, 3, None]),
        ("dynamic_slice", [None, 3, 7]),
        ("dynamic_update_slice", [None, None, 3, 7]),
        ("set_dimension_size", [None, 8]),
        ("maximum", [None, None]),
        ("concatenate", [None, None]),
    ],
)
def test_each_operand_is_an_index_or_none(name: str, limits: list[int | None]) -> None:
    """Of programs of integers alone."""
    bodies = {
        "gather": (GATHER, "%x, %n"), "scatter": (SCATTER, "%x, %n, %f"), "dynamic_slice": (SLICE, "%x, %i, %j"),
        "dynamic_update_slice": (UPDATE.partition("\n")[2], "%x, %u, %i, %j"),
        "set_dimension_size": ("%0 = stablehlo.set_dimension_size %x, %i, dim = 1 : (tensor<3x7xi32>, tensor<i32>) "
                               "-> tensor<3x?xi32, #stablehlo.bounds<?, 7>>", "%x, %i"),
        "maximum": ("%0 = stablehlo.maximum %x, %w : tensor<3x7xi32>", "%x, %w"),
        "concatenate": ("%0 = stablehlo.concatenate %x, %w, dim = 0 : (tensor<3x7xi32>, tensor<3x7xi32>) "
                        "-> tensor<6x7xi32>", "%x, %w"),
    }  # fmt: skip
    body, operands = bodies[name]
    parameters = f"{PARAMETERS}, %u: tensor<1x1xf32>, %w: tensor<3x7xf32>"
    numbers = {each.partition(":")[0]: number for number, each in enumerate(parameters.split(", "))}
    function = main(parameters.replace("f32", "i32"), body.replace("f32", "i32"))
    arguments = function.regions[0].blocks[0].arguments
    found = [_index_limit(arguments[numbers[operand]]) for operand in operands.split(", ")]
    assert found == limits
    assert _index_limit(arguments[numbers["%v"]]) is None


def test_ranges_of_users_come_before_what_indices_need() -> None:
    draws = [drawn(PARAMETERS, seed, SLICE, _4=Distribution("", 5.0, 6.0))[4] for seed in range(20)]
    assert {int(each) for each in draws} == {5, 6}
    (empty,) = drawn("%a: tensor<0x3xf32>", all=Distribution(special=True))
    assert empty.shape == (0, 3)


@pytest.mark.parametrize("element", ["i8", "ui8", "f32", "i1", "complex<f32>"])
@pytest.mark.parametrize(("kind", "number"), [("zeros", 0), ("ones", 1)])
def test_zeros_and_ones_are_those_of_the_type(element: str, kind: str, number: int) -> None:
    (array,) = drawn(f"%a: tensor<2x3x{element}>", all=Distribution(kind))
    assert (array.dtype, array.shape) == (element_type(element).dtype, (2, 3))
    assert (array == number).all()


def test_real_and_imaginary_parts_are_drawn_apart() -> None:
    (array,) = drawn("%a: tensor<500xcomplex<f32>>", all=Distribution("uniform", 2.0, 3.0))
    for part in (array.real, array.imag):
        assert 2 <= part.min() < 2.1
        assert 2.9 < part.max() <= 3
    assert abs(np.corrcoef(array.real, array.imag)[0, 1]) < 0.2


@pytest.mark.parametrize(("rank", "is_drawn"), [(64, True), (65, False)])
def test_arrays_have_as_many_dimensions_as_numpy_has(rank: int, is_drawn: bool) -> None:
    type_ = f"%a: tensor<{'1x' * rank}f32>"
    if is_drawn:
        assert drawn(type_)[0].ndim == rank
    else:
        with pytest.raises(InputError, match="of rank 65: arrays have at most 64 dimensions"):
            drawn(type_)


@pytest.mark.parametrize(("bound", "sizes"), [(0, {0}), (1, {1}), (3, {1, 2, 3})])
def test_bounded_sizes_are_drawn_up_to_their_bound(bound: int, sizes: set[int]) -> None:
    type_ = f"tensor<?x2xf32, #stablehlo.bounds<{bound}, ?>>"
    module = parsed(f"func.func @main(%x: {type_}) {{ return }}")
    function = functions(module.operation)["main"]
    assert {draw_arguments(function, seed)[0].shape for seed in range(40)} == {(size, 2) for size in sizes}


@pytest.mark.parametrize("sizes", [(3, 9), (9, 3), (5, 5, 2), (2, 5, 5), (5, 2, 5), (4,)])
def test_an_index_of_several_dimensions_is_drawn_within_the_smallest(sizes: tuple[int, ...]) -> None:
    types = [f"(tensor<{size}xf32>, tensor<i32>) -> tensor<1xf32>" for size in sizes]
    lines = [f"%{n} = stablehlo.dynamic_slice %x{n}, %i, sizes = [1] : {type_}" for n, type_ in enumerate(types)]
    operands = "".join(f", %x{n}: tensor<{size}xf32>" for n, size in enumerate(sizes))
    text = (
        f"func.func @main(%i: tensor<i32>{operands}) -> tensor<1xf32> {{ {' '.join(lines)} return %0 : tensor<1xf32> }}"
    )
    subject = examine(parsed(text))
    drawn = {int(draw_arguments(subject.function, seed)[0]) for seed in range(60)}
    assert drawn == set(range(min(sizes))), sizes
